/* SPDX-License-Identifier: MIT */
/*
 * Which events of a vendor's list of hundreds a new CPU file gets: those whose
 * names speak of instructions, cycles, branches, loads, stores, caches, TLBs,
 * page walks or prefetches, and of nothing that assay has no kernel for.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cpufile/topics.h"

/* Words of names, between '_', '.', ':' and '-'. A '*' stands for any end. */
static const char *const wanted[] = {
	"l1*", "l2*", "l3*", "ll", "llc*", "longest", "cache*", "icache*",
	"dc", "ic", "mem", "load*", "ld*", "store*", "st", "mab*", "fill*",
	"refill*", "dtlb*", "itlb*", "tlb*", "stlb*", "walk*", "page",
	"inst", "instr*", "ret", "br", "brn", "branch*", "misp*", "mis",
	"cyc*", "clk*", "cpu", "pf*", "prefetch*", "swpf", "hwpf", "unaligned",
	"misal*", "bus",
};

static const char *const unwanted[] = {
	"sve*", "ase*", "fp*", "simd*", "vec*", "sse*", "avx*", "crypto", "aes",
	"trace", "trb*", "trc*", "cti*", "sample*", "tx", "hle", "rtm", "ocr",
	"uop*", "op", "ops", "topdown*", "slot*", "snp*", "snoop*", "idi",
	"port*", "div*", "arith*", "frontend*", "stall*", "stalls", "bound*",
	"outstanding", "buffer*", "lock*", "ms", "machine*", "assist*", "fetch",
	"token*", "queue*", "pwr*", "core", "smi*", "int", "rdtsc", "gate*",
	"etm*", "pmu*", "probe*", "wcb*", "squash*", "dsb*", "dmb*", "isb*",
	"exclusive*", "ldrex*", "strex*", "ldx*", "stx*", "xq", "sq", "wakeup*",
	"flush*",
};

static bool is_word(const char *pattern, const char *word, size_t bytes)
{
	const size_t n = strcspn(pattern, "*");

	return pattern[n] ? bytes >= n && !strncasecmp(pattern, word, n) :
	       bytes == n && !strncasecmp(pattern, word, n);
}

static bool among(const char *const *words, size_t count, const char *word,
		  size_t bytes)
{
	for (size_t i = 0; i < count; i++)
		if (is_word(words[i], word, bytes))
			return true;
	return false;
}

#define AMONG(list, word, bytes) \
	among(list, sizeof(list) / sizeof(*(list)), word, bytes)

bool topic_of(const char *name)
{
	bool found = false;

	for (size_t n; *name; name += n, name += *name != '\0') {
		n = strcspn(name, "_.:-");
		if (AMONG(unwanted, name, n))
			return false;
		found |= AMONG(wanted, name, n);
	}
	return found;
}
