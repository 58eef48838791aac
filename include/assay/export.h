/* SPDX-License-Identifier: MIT */
/*
 * What the shared library exports: every function marked ASSAY_API. C++ may
 * include the headers: then the mark says that it is C, too.
 */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#ifdef __cplusplus
#define ASSAY_API extern "C" __attribute__((visibility("default")))
#else
#define ASSAY_API __attribute__((visibility("default")))
#endif

#endif
