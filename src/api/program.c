/* SPDX-License-Identifier: MIT */
/* Finding programs and QEMU, and running one in the other. */
#define _GNU_SOURCE	/* environ */
#include "api/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/stat.h"
#include "base/text.h"

static const struct {
	uint16_t machine;	/* of ELF */
	const char *qemu;
	const char *sysroot;	/* Debian's cross libraries */
} machines[ISAS] = {
	[ISA_X86_64] = { EM_X86_64, "qemu-x86_64", "/usr/x86_64-linux-gnu" },
	[ISA_AARCH64] = { EM_AARCH64, "qemu-aarch64",
			  "/usr/aarch64-linux-gnu" },
};

/* CPUs whose instructions QEMU can limit itself to, so that libraries choose
 * the code that they would choose there. */
static const char *const qemu_cpus[] = {
	"cortex-a72", "cortex-a76", "neoverse-n1", NULL
};

static bool can_execute(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

/* The file that a shell would start. false: there is none. */
static bool find_in_path(char *out, size_t room, const char *name)
{
	const char *path = getenv("PATH");
	size_t n;

	if (!*name)
		return false;
	if (strchr(name, '/')) {
		n = (size_t)snprintf(out, room, "%s", name);
		return n < room && access(name, F_OK) == 0;
	}
	for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
		int length = (int)strcspn(path, ":");

		n = (size_t)snprintf(out, room, "%.*s%s%s", length, path,
				     length ? "/" : "", name);
		if (n < room && can_execute(out))
			return true;
		path += length;
	}
	return false;
}

/* ---- the program -------------------------------------------------------- */

struct elf {
	int fd;
	Elf64_Ehdr head;
	char interpreter[256];	/* "" if it is static */
};

static int bad_program(struct assay_error *err, const char *path,
		       const char *why)
{
	return error_set(err, -ASSAY_EINVAL, "'%.300s' cannot be simulated: %s",
			 path, why);
}

static bool read_at(int fd, void *out, size_t bytes, uint64_t offset)
{
	return offset <= INT64_MAX &&
	       pread(fd, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static void find_interpreter(struct elf *elf)
{
	Elf64_Phdr p;

	for (unsigned i = 0; i < elf->head.e_phnum; i++) {
		if (elf->head.e_phentsize != sizeof(p) ||
		    !read_at(elf->fd, &p, sizeof(p), elf->head.e_phoff +
			     i * (uint64_t)sizeof(p)))
			return;
		if (p.p_type != PT_INTERP || !p.p_filesz ||
		    p.p_filesz >= sizeof(elf->interpreter))
			continue;
		if (!read_at(elf->fd, elf->interpreter, p.p_filesz,
			     p.p_offset))
			elf->interpreter[0] = '\0';
		return;
	}
}

static int check_head(struct program *p, const struct elf *elf, size_t bytes,
		      struct assay_error *err)
{
	const Elf64_Ehdr *h = &elf->head;

	if (bytes >= 2 && memcmp(h->e_ident, "#!", 2) == 0)
		return bad_program(err, p->path, "it is a script: name its "
				   "interpreter before it");
	if (bytes < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
		return bad_program(err, p->path, "it is no ELF program");
	for (int i = 0; i < ISAS; i++) {
		if (h->e_ident[EI_CLASS] != ELFCLASS64 ||
		    h->e_ident[EI_DATA] != ELFDATA2LSB ||
		    h->e_machine != machines[i].machine)
			continue;
		p->isa = (enum isa)i;
		return h->e_type == ET_EXEC || h->e_type == ET_DYN ? 0 :
		       bad_program(err, p->path, "it is an object file");
	}
	return bad_program(err, p->path, "it is neither for x86-64 nor for "
			   "AArch64");
}

static void choose_library(struct program *p, const struct elf *elf)
{
	char path[600];

	if (!elf->interpreter[0] || access(elf->interpreter, F_OK) == 0)
		return;
	snprintf(path, sizeof(path), "%s%s", machines[p->isa].sysroot,
		 elf->interpreter);
	if (access(path, F_OK) == 0)
		p->library = machines[p->isa].sysroot;
}

static int read_program(struct program *p, struct assay_error *err)
{
	struct elf elf = { .fd = open(p->path, O_RDONLY | O_CLOEXEC) };
	ssize_t bytes;
	int rc;

	if (elf.fd < 0)
		return error_set(err, -ASSAY_EIO, "cannot read '%.300s': %s",
				 p->path, strerror(errno));
	bytes = pread(elf.fd, &elf.head, sizeof(elf.head), 0);
	rc = check_head(p, &elf, bytes < 0 ? 0 : (size_t)bytes, err);
	if (rc == 0)
		find_interpreter(&elf);
	close(elf.fd);
	if (rc == 0 && !can_execute(p->path))
		rc = error_set(err, -ASSAY_EPERM, "'%.300s' may not be "
			       "executed", p->path);
	choose_library(p, &elf);
	return rc;
}

/* ---- QEMU and the plugin ------------------------------------------------ */

static int find_qemu(struct program *p, struct assay_error *err)
{
	const char *name = machines[p->isa].qemu;

	if (find_in_path(p->qemu, sizeof(p->qemu), name))
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "'%.300s' runs under %s, which "
			 "is not installed: install the package qemu-user",
			 p->path, name);
}

/* Beside the executable that is being built, else where it was installed. */
int program_find_plugin(struct program *p, const char *given,
			struct assay_error *err)
{
	static const char name[] = "assay-qemu.so";
	char self[3000];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (given)
		snprintf(p->plugin, sizeof(p->plugin), "%s", given);
	if (!given && n > 0) {
		self[n] = '\0';
		slash = strrchr(self, '/');
		snprintf(p->plugin, sizeof(p->plugin), "%.*s/plugin/%s",
			 slash ? (int)(slash - self) : 0, self, name);
	}
	if (!given && (n <= 0 || access(p->plugin, R_OK) != 0))
		snprintf(p->plugin, sizeof(p->plugin), "%s/%s",
			 ASSAY_PLUGIN_DIR, name);
	if (access(p->plugin, R_OK) == 0)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "assay's plugin for QEMU is "
			 "missing: '%.300s': %s", p->plugin, strerror(errno));
}

static const char *choose_cpu(enum isa isa, const char *cpu_name)
{
	for (int i = 0; isa == ISA_AARCH64 && cpu_name && qemu_cpus[i]; i++)
		if (strcmp(qemu_cpus[i], cpu_name) == 0)
			return qemu_cpus[i];
	return "max";
}

int program_find(struct program *out, const char *name, const char *cpu_name,
		 const char *plugin, struct assay_error *err)
{
	int rc;

	*out = (struct program){ .isa = ISA_X86_64 };
	if (!find_in_path(out->path, sizeof(out->path), name))
		return error_set(err, -ASSAY_ENOENT, "no program '%.300s'",
				 name);
	rc = read_program(out, err);
	if (rc == 0)
		rc = find_qemu(out, err);
	if (rc == 0)
		rc = program_find_plugin(out, plugin, err);
	out->cpu = choose_cpu(out->isa, cpu_name);
	return rc;
}

/* ---- running ------------------------------------------------------------ */

/* QEMU takes a comma in an option's value doubled. */
static void double_commas(char *out, size_t room, const char *text)
{
	size_t n = 0;

	for (; *text && n + 3 < room; text++) {
		if (*text == ',')
			out[n++] = ',';
		out[n++] = *text;
	}
	out[n] = '\0';
}

static size_t count(char *const *arguments)
{
	size_t n = 0;

	while (arguments[n])
		n++;
	return n;
}

/* QEMU's command line; the strings stay the caller's. NULL: no memory. */
static const char **command(const struct program *p, const char *plugin,
			    char *const *arguments)
{
	const char **out = calloc(count(arguments) + 12, sizeof(*out));
	size_t n = 0;

	if (!out)
		return NULL;
	out[n++] = p->qemu;
	out[n++] = "-cpu";
	out[n++] = p->cpu;
	if (p->library) {
		out[n++] = "-L";
		out[n++] = p->library;
	}
	out[n++] = "-plugin";
	out[n++] = plugin;
	out[n++] = "-0";
	out[n++] = arguments[0];
	out[n++] = p->path;
	for (size_t i = 1; arguments[i]; i++)
		out[n++] = arguments[i];
	return out;
}

/* The child gets the tally, and the signals that a shell would give it. */
static int spawn(pid_t *pid, const char *const *argv, int fd,
		 const sigset_t *blocked)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGQUIT);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setsigmask(&attributes, blocked);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF |
				 POSIX_SPAWN_SETSIGMASK);
	/* Onto itself: this clears close-on-exec. */
	posix_spawn_file_actions_adddup2(&actions, fd, fd);
	rc = posix_spawn(pid, argv[0], &actions, &attributes,
			 (char *const *)argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

/* What the terminal sends, it sends to the program as well. */
static void pass_on(int fd, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			kill(pid, (int)info.ssi_signo);
}

/* Signals that would end us are the program's: its end is reported, however
 * many there are. */
static int await(pid_t pid, int fd, int *status)
{
	struct pollfd signals = { .fd = fd, .events = POLLIN };
	pid_t rc;
	int s;

	while ((rc = waitpid(pid, &s, WNOHANG)) == 0 ||
	       (rc < 0 && errno == EINTR)) {
		poll(&signals, 1, -1);
		pass_on(fd, pid);
	}
	if (rc < 0)
		return -1;
	*status = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
	return 0;
}

/* Why there is nothing in the tally; 0: there is something. */
static int check(const struct program *p, const struct tally_map *map,
		 int status, struct assay_error *err)
{
	int rc = tally_check(map, err);

	if (rc < 0)
		return rc;
	if (map->tally->refused[0])
		return error_set(err, -ASSAY_EUNAVAIL, "QEMU's plugin: %s",
				 map->tally->refused);
	if (map->tally->state != TALLY_UNTOUCHED)
		return 0;
	error_set(err, -ASSAY_EUNAVAIL, "'%.300s' ended with %d before the "
		  "plugin was loaded", p->qemu, status);
	error_add(err, "it must be able to load plugins: the package "
		  "qemu-user 7.2 can, qemu-user-static cannot");
	return -ASSAY_EUNAVAIL;
}

static int run(const struct program *program, const char *const *argv, int fd,
	       int *status, struct assay_error *err)
{
	struct stat_signals signals;
	pid_t pid;
	int rc = stat_signals_take(&signals, err);

	if (rc < 0)
		return rc;
	rc = spawn(&pid, argv, fd, &signals.old);
	if (rc != 0)
		rc = error_set(err, -ASSAY_EIO, "cannot start '%.300s': %s",
			       program->qemu, strerror(rc));
	else if (await(pid, signals.fd, status) < 0)
		rc = error_set(err, -ASSAY_EIO, "cannot wait for '%.300s': "
			       "%s", program->qemu, strerror(errno));
	stat_signals_give(&signals);
	return rc;
}

int program_run(const struct program *program, char *const *arguments,
		const struct tally_map *map, int fd, int *status,
		struct assay_error *err)
{
	char path[2 * sizeof(program->plugin)], plugin[sizeof(path) + 64];
	const char **argv;
	int rc;

	double_commas(path, sizeof(path), program->plugin);
	snprintf(plugin, sizeof(plugin), "%s,tally=/proc/self/fd/%d", path,
		 fd);
	argv = command(program, plugin, arguments);
	if (!argv)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = run(program, argv, fd, status, err);
	free(argv);
	return rc < 0 ? rc : check(program, map, *status, err);
}
