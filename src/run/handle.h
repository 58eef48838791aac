/* SPDX-License-Identifier: MIT */
/* The library handle: where data and the machine are looked for. */
#ifndef RUN_HANDLE_H
#define RUN_HANDLE_H

#include "assay.h"

struct assay {
	const char *data_dir;	/* NULL: built-in data only */
	const char *sysroot;	/* "/" */
	const char *cert_dir;	/* NULL: the user's own */
	struct assay_machine machine;
	char settings[128];	/* what assay_control_begin changed */
};

#endif
