/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of the program. */
#ifndef PLUGIN_CALLBACKS_THREAD_H
#define PLUGIN_CALLBACKS_THREAD_H

struct lane;

/* By QEMU's number. */
void thread_open(unsigned vcpu);
void thread_close(unsigned vcpu);
/* One begins in that lane. */
void thread_begin(struct lane *lane);

#endif
