/* SPDX-License-Identifier: MIT */
/* The engines of this ISA. */
#ifndef SIM_ARCH_X86_64_UNITS_H
#define SIM_ARCH_X86_64_UNITS_H

#include "sim/engine/engine.h"

extern const struct engine engine_avx2, engine_avx512;

#endif
