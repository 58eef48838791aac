/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/session.h"

struct session session = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.writes = PTHREAD_MUTEX_INITIALIZER,
};
