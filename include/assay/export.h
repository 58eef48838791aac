/* SPDX-License-Identifier: MIT */
/* What the shared library exports: every function marked ASSAY_API. */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#define ASSAY_API __attribute__((visibility("default")))

#endif
