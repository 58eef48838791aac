/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's TCG plugin interface, API version 1, as far as it is used here. The
 * names and types are QEMU's; no Debian package holds its header.
 */
#ifndef PLUGIN_CALLBACKS_QEMU_H
#define PLUGIN_CALLBACKS_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_API 1

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_info {
	const char *target_name;	/* "x86_64", "aarch64" */
	struct { int min, cur; } version;
	bool system_emulation;
	struct { int smp_vcpus, max_vcpus; } system;
};

enum { QEMU_NO_REGS = 0 };
/* A filter for loads alone is off by one in QEMU 7.2: both, always. */
enum { QEMU_MEM_BOTH = 3 };

typedef void qemu_tb_fn(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void qemu_mem_fn(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data);
typedef void qemu_exec_fn(unsigned vcpu, void *data);
typedef void qemu_vcpu_fn(qemu_plugin_id_t id, unsigned vcpu);
typedef void qemu_exit_fn(qemu_plugin_id_t id, void *data);
typedef void qemu_syscall_fn(qemu_plugin_id_t id, unsigned vcpu,
			     int64_t number, uint64_t a1, uint64_t a2,
			     uint64_t a3, uint64_t a4, uint64_t a5,
			     uint64_t a6, uint64_t a7, uint64_t a8);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_fn *fn);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_fn *fn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_tb_fn *fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  qemu_exec_fn *fn, int flags,
					  void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      qemu_mem_fn *fn, int flags, int rw,
				      void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
					  qemu_syscall_fn *fn);
typedef void qemu_return_fn(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
			    int64_t result);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id,
					      qemu_return_fn *fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_exit_fn *fn,
				    void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_exec_fn *fn, int flags,
					    void *data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
/* The program's file, as in QEMU's arguments. */
const char *qemu_plugin_path_to_binary(void);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

/*
 * QEMU 7.2 reports its own accesses, too, such as those to a signal's frame,
 * by what reported last: what ends a block with an access never forgets that
 * it did. Generated code is far from QEMU's.
 */
static inline bool qemu_is_caller(const void *caller)
{
	const uintptr_t own = (uintptr_t)qemu_plugin_register_vcpu_mem_cb;

	return (uintptr_t)caller - own + (UINT64_C(1) << 26) <
	       UINT64_C(1) << 27;
}

#endif
