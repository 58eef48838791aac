/* SPDX-License-Identifier: MIT */
/* Which core this is. */
#ifndef BARE_IDENTITY_H
#define BARE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* The name that CPU files have for the core of this MIDR_EL1, or the number. */
void identity_name(char *out, size_t room, uint64_t midr);

#endif
