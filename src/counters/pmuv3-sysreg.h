/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing AArch64 system registers by name. Accesses keep their
 * order; sysreg_sync() (ISB) makes the writes before it take effect.
 */
#ifndef COUNTERS_PMUV3_SYSREG_H
#define COUNTERS_PMUV3_SYSREG_H

#include <stdint.h>

#define read_sysreg(name) __extension__ ({				\
	uint64_t value_;						\
	__asm__ volatile("mrs %0, " #name : "=r"(value_) :: "memory");	\
	value_; })

#define write_sysreg(name, value) do {					\
	uint64_t value_ = (value);					\
	__asm__ volatile("msr " #name ", %0" :: "r"(value_) : "memory"); \
} while (0)

#define sysreg_sync() __asm__ volatile("isb" ::: "memory")

#endif
