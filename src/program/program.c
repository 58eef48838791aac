/* SPDX-License-Identifier: MIT */
/*
 * Finds a program, as a shell would, the QEMU for its instruction set, and the
 * plugin; then runs the program under QEMU. Of a script, QEMU runs the
 * interpreter, as the kernel would. While the program runs, signals are passed
 * on to it, and every COLLECT_MS the tallies of children that have ended are
 * added up, so that their slots become free.
 */
#define _GNU_SOURCE	/* environ */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/process/process.h"
#include "base/text.h"

static const char *const qemu_names[ISAS] = {
	[ISA_X86_64] = "qemu-x86_64",
	[ISA_AARCH64] = "qemu-aarch64",
};

/* CPUs that QEMU knows: it runs only their instructions then, so libraries
 * choose the same code as on the CPU itself. For others, SVE is switched off:
 * QEMU does not show SVE accesses to plugins. */
static const char *const qemu_cpus[] = {
	"cortex-a72", "cortex-a76", "neoverse-n1", NULL
};

static bool can_execute(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Is this a path, which is not searched for in PATH? */
static bool is_path(const char *name)
{
	return strchr(name, '/') || strcmp(name, ".") == 0 ||
	       strcmp(name, "..") == 0;
}

/* Finds the file that a shell would start. false: there is none; if the name is
 * a path, errno has the reason. */
static bool find_in_path(char *out, size_t room, const char *name)
{
	const char *path = getenv("PATH");
	size_t n;

	if (!*name)
		return false;
	if (is_path(name)) {
		errno = ENAMETOOLONG;
		n = (size_t)snprintf(out, room, "%s", name);
		return n < room && access(name, F_OK) == 0;
	}
	for (path = path ? path : "/usr/bin:/bin"; *path;
	     path += *path == ':') {
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

static int bad_program(struct assay_error *err, const char *path,
		       const char *why)
{
	return error_set(err, -ASSAY_EINVAL, "'%.300s' cannot be simulated: %s",
			 path, why);
}

static int check_kind(const struct program *p, struct assay_error *err)
{
	switch (p->binary.kind) {
	case BINARY_PROGRAM:
		return 0;
	case BINARY_SCRIPT:
		return bad_program(err, p->path, "too many scripts interpret "
				   "one another");
	case BINARY_FOREIGN:
		return bad_program(err, p->path, "it is neither for x86-64 nor "
				   "for AArch64");
	case BINARY_OBJECT:
		return bad_program(err, p->path, "it is an object file");
	case BINARY_CUT:
		return bad_program(err, p->path, "it is a truncated ELF "
				   "program: a segment that it loads is not in "
				   "the file");
	default:
		return bad_program(err, p->path, is_folder(p->path) ?
				   "it is a folder" : "it is no ELF program");
	}
}

/* A program may change its directory and start QEMU again: all paths that QEMU
 * gets are absolute. */
static int make_absolute(char *path, size_t room, struct assay_error *err)
{
	char full[8192];
	size_t n;

	if (*path == '/')
		return 0;
	if (!getcwd(full, room))
		return error_set(err, -ASSAY_EIO, "cannot get the current "
				 "directory: %s", strerror(errno));
	n = strlen(full);
	if (snprintf(full + n, sizeof(full) - n, "/%s", path) >=
	    (int)(room - n))
		return error_set(err, -ASSAY_EINVAL, "the path of '%.300s' is "
				 "too long", path);
	memcpy(path, full, strlen(full) + 1);
	return 0;
}

static int read_binary(struct program *p, struct assay_error *err)
{
	int rc = binary_read(&p->binary, p->path);

	if (rc == -ENOENT && p->scripts)
		return error_set(err, -ASSAY_EINVAL, "'%.300s' cannot be "
				 "simulated: its interpreter '%.300s' is not "
				 "there", p->name, p->path);
	if (rc < 0)
		return error_set(err, -ASSAY_EIO, "cannot read '%.300s': %s",
				 p->path, strerror(-rc));
	if (!can_execute(p->path) && p->binary.kind <= BINARY_SCRIPT)
		return error_set(err, -ASSAY_EPERM, "'%.300s' may not be "
				 "executed", p->path);
	return 0;
}

/* Reads the program; of a script, its interpreter, and so on. */
static int read_program(struct program *p, struct assay_error *err)
{
	int rc = read_binary(p, err);

	snprintf(p->name, sizeof(p->name), "%s", p->path);
	while (rc == 0 && p->binary.kind == BINARY_SCRIPT &&
	       p->scripts < BINARY_DEPTH) {
		p->script[p->scripts++] = p->binary;
		snprintf(p->path, sizeof(p->path), "%s",
			 p->binary.interpreter);
		rc = read_binary(p, err);
	}
	if (rc == 0)
		rc = check_kind(p, err);
	return rc ? rc : make_absolute(p->path, sizeof(p->path), err);
}

/* ---- QEMU and the plugin ------------------------------------------------ */

static int find_qemu(struct program *p, struct assay_error *err)
{
	const char *name = qemu_names[p->binary.isa];

	if (find_in_path(p->qemu, sizeof(p->qemu), name))
		return make_absolute(p->qemu, sizeof(p->qemu), err);
	return error_set(err, -ASSAY_EUNAVAIL, "'%.300s' runs under %s, which "
			 "is not installed: install the package qemu-user",
			 p->path, name);
}

int program_find_plugin(struct program *p, const char *given,
			struct assay_error *err)
{
	if (!given)
		return installed_find(p->plugin, sizeof(p->plugin),
				      INSTALLED_PLUGIN, err);
	snprintf(p->plugin, sizeof(p->plugin), "%s", given);
	if (access(p->plugin, R_OK) == 0)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "assay's plugin for QEMU is "
			 "missing: '%.300s': %s", p->plugin, strerror(errno));
}

static const char *choose_cpu(enum isa isa, const char *cpu_name)
{
	const char *wanted = getenv("QEMU_CPU");

	if (wanted && *wanted)
		return wanted;
	for (int i = 0; isa == ISA_AARCH64 && cpu_name && qemu_cpus[i]; i++)
		if (strcmp(qemu_cpus[i], cpu_name) == 0)
			return qemu_cpus[i];
	return isa == ISA_AARCH64 ? "max,sve=off" : "max";
}

static int not_found(const char *name, struct assay_error *err)
{
	if (is_path(name) && errno != ENOENT)
		return bad_program(err, name, strerror(errno));
	return error_set(err, -ASSAY_ENOENT, "no program '%.300s'", name);
}

int program_find(struct program *out, const char *name, const char *cpu_name,
		 const char *plugin, struct assay_error *err)
{
	int rc;

	*out = (struct program){ .scripts = 0 };
	if (!find_in_path(out->path, sizeof(out->path), name))
		return not_found(name, err);
	rc = read_program(out, err);
	if (rc == 0 && binary_changes_rights(out->path))
		rc = error_set(err, -ASSAY_EPERM, "'%.300s' takes other rights "
			       "(set-user-ID), which it would not get under "
			       "QEMU: run assay as a user who has them",
			       out->path);
	if (rc == 0)
		rc = find_qemu(out, err);
	if (rc == 0)
		rc = program_find_plugin(out, plugin, err);
	if (rc == 0)
		rc = make_absolute(out->plugin, sizeof(out->plugin), err);
	out->cpu = choose_cpu(out->binary.isa, cpu_name);
	return rc;
}

int program_fix(struct program *p, const struct assay_fixed *fixed,
		const char *cpu_name, struct assay_error *err)
{
	p->fixed = fixed;
	p->cpu = fixed->guest ? fixed->guest
			      : fixed_guest(p->binary.isa, cpu_name);
	return fixed_path(p->padded, p->path, err);
}

/* ---- running ------------------------------------------------------------ */

enum { COLLECT_MS = 250 };

/* What await() does while the program runs. */
struct program_work {
	const struct child_tally_file *file;
	struct merged_tally *merged;
	int rc;
	struct assay_error err;
};

void program_double_commas(char *out, size_t room, const char *text)
{
	size_t n = 0;

	for (; *text && n + 3 < room; text++) {
		if (*text == ',')
			out[n++] = ',';
		out[n++] = *text;
	}
	out[n] = '\0';
}

void program_plugin_option(char *out, size_t room, const char *plugin, int fd)
{
	snprintf(out, room, "%s,tally=/proc/self/fd/%d", plugin, fd);
}

static size_t count(char *const *arguments)
{
	size_t n = 0;

	while (arguments[n])
		n++;
	return n;
}

/* The arguments of a script, as the kernel passes them: interpreter, its
 * argument, script; the innermost interpreter first. */
static size_t add_scripts(const struct program *p, const char **out)
{
	size_t n = 0;

	for (unsigned i = p->scripts; i > 0; i--) {
		if (i < p->scripts)
			out[n++] = p->script[i - 1].interpreter;
		if (p->script[i - 1].argument[0])
			out[n++] = p->script[i - 1].argument;
	}
	out[n++] = p->name;
	return n;
}

/* argv[0] of the program. */
static const char *own_name(const struct program *p, char *const *arguments)
{
	if (p->scripts)
		return p->script[p->scripts - 1].interpreter;
	return p->fixed && p->fixed->name ? p->fixed->name : arguments[0];
}

/* The options of a fixed run. LD_PRELOAD in the environment would act on QEMU
 * itself. */
static size_t add_fixed(const struct program *p, const char **out)
{
	size_t n = 0;

	out[n++] = "-seed";
	out[n++] = "1";
	if (p->fixed->preload) {
		out[n++] = "-E";
		out[n++] = p->fixed->preload;
	}
	return n;
}

/* QEMU's command line. The caller frees the array, not its strings. NULL: no
 * memory. */
static const char **command(const struct program *p, const char *plugin,
			    char *const *arguments)
{
	const char **out = calloc(count(arguments) + 2 * BINARY_DEPTH + 16,
				  sizeof(*out));
	size_t n = 0;

	if (!out)
		return NULL;
	out[n++] = p->qemu;
	out[n++] = "-cpu";
	out[n++] = p->cpu;
	if (binary_needs_sysroot(&p->binary)) {
		out[n++] = "-L";
		out[n++] = binary_sysroots[p->binary.isa];
	}
	out[n++] = "-plugin";
	out[n++] = plugin;
	if (p->fixed)
		n += add_fixed(p, out + n);
	out[n++] = "-0";
	out[n++] = own_name(p, arguments);
	out[n++] = p->fixed ? p->padded : p->path;
	if (p->scripts)
		n += add_scripts(p, out + n);
	for (size_t i = 1; arguments[i]; i++)
		out[n++] = arguments[i];
	return out;
}

/* The environment in reverse order: QEMU reverses it again, and of two
 * variables with one name keeps the later. The caller frees the array. NULL: no
 * memory. */
static char **reversed_environment(void)
{
	const size_t n = count(environ);
	char **out = calloc(n + 1, sizeof(*out));

	for (size_t i = 0; out && i < n; i++)
		out[i] = environ[n - 1 - i];
	return out;
}

/* Starts QEMU with the tallies' descriptor and the signal mask that assay was
 * started with. */
static int spawn(pid_t *pid, const char *const *argv, int fd,
		 const sigset_t *blocked)
{
	char **environment = reversed_environment();
	int rc;

	if (!environment)
		return ENOMEM;
	rc = process_start(pid, &(struct process_how){
			.argv = argv, .environment = environment,
			.mask = blocked, .in = -1, .out = -1, .keep = fd });
	free(environment);
	return rc;
}

/* Passes signals on to the program. Signals of the terminal (SI_KERNEL) reach
 * the program without this. */
static void pass_on(int fd, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			kill(pid, (int)info.ssi_signo);
}

/* Waits for the end of the program, passes signals on, and adds up the tallies
 * of children that have ended. */
static int await(pid_t pid, int fd, int *status, struct program_work *work)
{
	struct pollfd signals = { .fd = fd, .events = POLLIN };
	pid_t rc;
	int s;

	while ((rc = waitpid(pid, &s, WNOHANG)) == 0 ||
	       (rc < 0 && errno == EINTR)) {
		if (poll(&signals, 1, COLLECT_MS) != 0)
			pass_on(fd, pid);
		else if (work->rc == 0)
			work->rc = merged_tally_collect(work->merged,
							work->file,
							&work->err);
	}
	if (rc < 0)
		return -1;
	*status = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
	return 0;
}

/* QEMU ended without an error, and ran no instruction of the program. */
static bool never_began(const struct tally *t)
{
	uint64_t count[TALLY_COLUMNS];

	merged_tally_count(t, count);
	return t->state == TALLY_COMPLETE && !t->from[0] && !t->region[0] &&
	       !count[TALLY_instructions];
}

/* An error, with the reason, if the plugin counted nothing. */
static int check(const struct program *p, const struct tally_map *map,
		 int status, struct assay_error *err)
{
	if (map->tally->refused[0])
		return error_set(err, -ASSAY_EUNAVAIL, "QEMU's plugin: %s",
				 map->tally->refused);
	if (never_began(map->tally))
		return error_set(err, -ASSAY_EUNAVAIL, "'%.300s' ended with %d "
				 "before it ran '%.300s'", p->qemu, status,
				 p->path);
	if (map->tally->state != TALLY_UNTOUCHED)
		return 0;
	error_set(err, -ASSAY_EUNAVAIL, "'%.300s' ended with %d before the "
		  "plugin was loaded", p->qemu, status);
	error_add(err, "it must be able to load plugins: the package "
		  "qemu-user 7.2 can, qemu-user-static cannot");
	return -ASSAY_EUNAVAIL;
}

static int run(const struct program *program, const char *const *argv,
	       struct program_work *work, int *status, struct assay_error *err)
{
	struct process_signals signals;
	pid_t pid;
	int rc = process_signals_block(&signals, err);

	if (rc < 0)
		return rc;
	/* Nobody passes on a signal that came before signals were blocked. */
	if (program->stopped && program->stopped(program->stopped_ctx)) {
		process_signals_restore(&signals);
		return error_set(err, -ASSAY_ESTOP, "stopped");
	}
	rc = spawn(&pid, argv, work->file->fd, &signals.old);
	if (rc != 0)
		rc = error_set(err, -ASSAY_EIO, "cannot start '%.300s': %s",
			       program->qemu, strerror(rc));
	else if (await(pid, signals.fd, status, work) < 0)
		rc = error_set(err, -ASSAY_EIO, "cannot wait for '%.300s': "
			       "%s", program->qemu, strerror(errno));
	process_signals_restore(&signals);
	if (rc == 0 && work->rc < 0) {
		*err = work->err;
		rc = work->rc;
	}
	return rc;
}

/* Writes into the tallies' head what the plugin needs to start QEMU for another
 * program. */
static void fill_head(const struct program *p,
		      const struct child_tally_file *file)
{
	struct child_tally_head *tallies = file->tallies;
	const char *slash = strrchr(p->name, '/');

	text_copy(tallies->qemu, sizeof(tallies->qemu), p->qemu);
	text_copy(tallies->cpu, sizeof(tallies->cpu), p->cpu);
	text_copy(tallies->sysroot, sizeof(tallies->sysroot),
		  binary_sysroots[p->binary.isa]);
	program_double_commas(tallies->plugin, sizeof(tallies->plugin),
			      p->plugin);
	snprintf(tallies->file, sizeof(tallies->file), "/proc/%d/fd/%d",
		 (int)getpid(), file->fd);
	text_copy(file->first.tally->name, sizeof(file->first.tally->name),
		  slash ? slash + 1 : p->name);
}

int program_run(const struct program *program, char *const *arguments,
		const struct child_tally_file *file,
		struct merged_tally *merged, int *status,
		struct assay_error *err)
{
	char plugin[sizeof(file->tallies->plugin) + 64];
	struct program_work work = { file, merged, 0, { 0 } };
	struct assay_error unused;
	const char **argv;
	int rc;

	fill_head(program, file);
	program_plugin_option(plugin, sizeof(plugin), file->tallies->plugin,
			      file->fd);
	argv = command(program, plugin, arguments);
	if (!argv)
		return error_memory(err);
	rc = run(program, argv, &work, status, err ? err : &unused);
	free(argv);
	if (rc == 0)
		rc = merged_tally_close(merged, file, err);
	return rc < 0 ? rc : check(program, &file->first, *status, err);
}
