/* SPDX-License-Identifier: MIT */
/*
 * A certificate: the verdicts on the events of one CPU at one stepping,
 * microcode, kernel and hypervisor, and the records that they rest on. A plain
 * struct; events and files are owned.
 */
#ifndef BASE_CERTIFICATE_H
#define BASE_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/class.h"
#include "assay/quantity.h"
#include "assay/record.h"

#define CERTIFICATE_SCHEMA "assay-certificate/2"
#define CERTIFICATE_OLD "assay-certificate/1"	/* can be read */
#define CERTIFICATE_EVENTS 4096
#define CERTIFICATE_FILES 64
#define CERTIFICATE_TEXT 320

/* Who was tested. Empty texts: not known, or without meaning there. */
struct certificate_machine {
	char provider[24];	/* "perf", "sim", "replay" */
	char cpu[ASSAY_NAME];
	char isa[16];
	char stepping[24];
	char microcode[24];
	char kernel[ASSAY_NAME];
	char hypervisor[32];
	char node[ASSAY_NAME];	/* in a parallel job; else "" */
	char options[CERTIFICATE_TEXT];	/* faults of a software PMU */
};

struct certificate_event {
	char event[ASSAY_NAME];
	char code[48];
	enum assay_class class_;
	struct assay_value bias;	/* largest share of the claim; why */
	struct assay_value spread;	/* is NULL or "not known" */
	unsigned shapes, good;	/* counted, and as claimed */
	char explains[CERTIFICATE_TEXT];	/* the terms */
	char proof[CERTIFICATE_TEXT];	/* kernels that refute the claim, or
					 * could have */
	char fails[CERTIFICATE_TEXT];	/* shape of the largest deviation */
	char witnesses[CERTIFICATE_TEXT];	/* which gave bounds, and which
						 * of them agree */
};

struct certificate_file {
	char name[ASSAY_NAME * 4];
	char sha256[65];
	unsigned records;
};

struct certificate {
	char created[24];	/* "2026-11-22T00:50:00Z" */
	char version[24];	/* of assay */
	struct certificate_machine machine;
	struct certificate_event *event;
	size_t events;
	struct certificate_file *file;
	size_t files;
	bool old;		/* CERTIFICATE_OLD: of fewer classes */
};

#endif
