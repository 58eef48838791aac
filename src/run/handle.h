/* SPDX-License-Identifier: MIT */
/* The library handle: the folders it works on, and this machine's identity. */
#ifndef RUN_HANDLE_H
#define RUN_HANDLE_H

#include "assay.h"
#include "cpus/cpu-files.h"
#include "tables/events/tables.h"

struct assay {
	/* The folders are borrowed from the caller of assay_open(). */
	const char *data_dir;	/* NULL: built-in data only */
	const char *sysroot;	/* root of /proc and /sys; "/": this machine */
	const char *cert_dir;	/* NULL: the user's certificate folder */
	struct tables_at_hand *tables;	/* of events */
	struct cpu_files *files;
	/* The CPU of the last assay_explain(), and its file, or NULL. */
	bool explains;		/* a CPU is kept */
	char explained[ASSAY_NAME];	/* "": this machine's */
	struct cpu *explained_file;
	struct assay_machine machine;
	struct assay_place place;	/* of this process, if in a job */
	char settings[128];	/* what assay_control_begin() changed */
};

#endif
