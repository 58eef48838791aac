/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execve of another program that can be simulated: QEMU is run instead of it,
 * with the plugin and a slot of its own. Where anything is in the way, nothing
 * is done, and QEMU performs the program's own call, so that errors are the
 * kernel's.
 */
#define _GNU_SOURCE	/* AT_EMPTY_PATH, AT_EACCESS, dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/callbacks/guest.h"
#include "plugin/callbacks/qemu.h"
#include "plugin/children/follow-exec.h"
#include "plugin/children/child-tallies.h"
#include "store/programs/binary.h"

enum {
	IN_FRONT = 3 * BINARY_DEPTH,	/* what scripts put before arguments */
	MOST_ENTRIES = 1 << 22,		/* of a list; the kernel takes fewer */
	ENTRY_BYTES = 128 << 10		/* as many as the kernel takes */
};

/* Host's addresses: of the program's memory, or of what is owned here. */
struct list {
	char **at;
	size_t n, room;
};

struct launch {
	char path[PATH_MAX];	/* of what is run: of scripts the interpreter */
	char name[PATH_MAX];	/* of what was asked for */
	bool open;		/* it is an open file's */
	struct binary binary;
	struct binary script[BINARY_DEPTH];
	char script_path[BINARY_DEPTH][PATH_MAX];
	struct list argument;	/* the program's */
	size_t first;		/* of them */
	struct list environment;
	struct list command;	/* QEMU's */
	struct list owned;
	struct child_slot child;
	int fd;			/* that it inherits */
	char plugin[sizeof(((struct child_tally_head *)0)->plugin) + 64];
};

static bool push(struct list *list, char *entry)
{
	char **grown;
	const size_t room = list->room ? 2 * list->room : 64;

	if (list->n == list->room) {
		grown = realloc(list->at, room * sizeof(*grown));
		if (!grown)
			return false;
		list->at = grown;
		list->room = room;
	}
	list->at[list->n++] = entry;
	return true;
}

/* A list that ends with NULL, without it. */
static bool read_list(struct list *out, uint64_t address)
{
	uint64_t entry;

	for (size_t i = 0; address && i < MOST_ENTRIES; i++) {
		if (!guest_read(&entry, sizeof(entry),
				address + i * sizeof(entry)))
			return false;
		if (!entry)
			return true;
		if (!push(out, guest_host(entry)))
			return false;
	}
	return !address;
}

/* ---- the file ----------------------------------------------------------- */

static bool is_own_file(const char *path)
{
	char own[64];

	snprintf(own, sizeof(own), "/proc/%d/exe", (int)getpid());
	return strcmp(path, "/proc/self/exe") == 0 ||
	       strcmp(path, "/proc/thread-self/exe") == 0 ||
	       strcmp(path, own) == 0;
}

/* As the kernel would find it from here, whatever the directory is later. */
static bool make_absolute(char *out, const char *path)
{
	size_t n;

	if (*path == '/')
		return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
	if (!getcwd(out, PATH_MAX) || *out != '/')
		return false;
	n = strlen(out);
	return snprintf(out + n, PATH_MAX - n, "/%s", path) <
	       (int)(PATH_MAX - n);
}

/* The descriptor that the path is a name of, as /dev/fd/3 is; -1: none. */
static int descriptor_of(const char *path)
{
	char own[64], *end;
	const char *const folders[] = { "/dev/fd/", "/proc/self/fd/",
					"/proc/thread-self/fd/", own };
	size_t n;
	long fd;

	snprintf(own, sizeof(own), "/proc/%d/fd/", (int)getpid());
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		n = strlen(folders[i]);
		if (strncmp(path, folders[i], n) != 0)
			continue;
		fd = strtol(path + n, &end, 10);
		return end == path + n || *end || fd < 0 || fd > INT_MAX ?
		       -1 : (int)fd;
	}
	return -1;
}

static bool closes_on_exec(int fd)
{
	const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFD);

	return flags >= 0 && (flags & FD_CLOEXEC);
}

/* The name of the file that is open there, if it is still that file's. */
static bool name_open(char *out, int fd)
{
	char link[64];
	struct stat a, b;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX - 1);
	if (n <= 0 || *out != '/')
		return false;
	out[n] = '\0';
	return stat(out, &a) == 0 && fstat(fd, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static enum tally_exec name_file(struct launch *l)
{
	const int fd = descriptor_of(l->name);
	const char *own;

	/* QEMU would look for it when it is closed */
	if (closes_on_exec(fd)) {
		l->open = true;
		return name_open(l->path, fd) ? EXEC_NONE : EXEC_nameless;
	}
	own = is_own_file(l->name) ? qemu_plugin_path_to_binary() : l->name;
	return own && *own && (own == l->name || *own == '/') &&
	       make_absolute(l->path, own) ? EXEC_NONE : EXEC_unpassable;
}

static bool may(const char *path, int what)
{
	return faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0;
}

static enum tally_exec look_at(struct binary *out, const char *path)
{
	struct stat st;

	/* what is no program at all is an error that the kernel knows */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !may(path, X_OK))
		return EXEC_foreign;
	if (binary_changes_rights(path))
		return EXEC_rights;
	if (binary_read(out, path) < 0)
		return EXEC_unreadable;
	return EXEC_NONE;
}

static void put_before(struct launch *l, char *entry)
{
	l->argument.at[--l->first] = entry;
}

/* As the kernel: interpreter [argument] script, and what followed argv[0]. */
static bool take_script(struct launch *l, int depth)
{
	struct binary *script = &l->script[depth];

	*script = l->binary;
	snprintf(l->script_path[depth], PATH_MAX, "%s",
		 depth ? l->script[depth - 1].interpreter : l->name);
	l->first++;
	put_before(l, l->script_path[depth]);
	if (script->argument[0])
		put_before(l, script->argument);
	put_before(l, script->interpreter);
	return make_absolute(l->path, script->interpreter);
}

/* Where QEMU looks for it; elsewhere it is the kernel that says so. */
static bool has_interpreter(const struct binary *b)
{
	const char *prefix = getenv("QEMU_LD_PREFIX");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", prefix ? prefix : "",
		 b->interpreter);
	return !b->interpreter[0] || access(b->interpreter, F_OK) == 0 ||
	       binary_needs_sysroot(b) || access(path, F_OK) == 0;
}

static enum tally_exec find_program(struct launch *l)
{
	enum tally_exec why;

	for (int depth = 0; depth <= BINARY_DEPTH; depth++) {
		why = look_at(&l->binary, l->path);
		if (why != EXEC_NONE)
			return why;
		if (l->binary.kind != BINARY_SCRIPT)
			break;
		/* of an open script the kernel says /dev/fd/N */
		if (depth == BINARY_DEPTH || l->open || !take_script(l, depth))
			return EXEC_foreign;
	}
	return l->binary.kind == BINARY_PROGRAM &&
	       l->binary.isa == session.map.tally->isa &&
	       has_interpreter(&l->binary) ? EXEC_NONE : EXEC_foreign;
}

/* ---- what it is given --------------------------------------------------- */

static char *own_text(struct launch *l, const char *entry)
{
	const uint64_t address = guest_address(entry);
	char *text = malloc(ENTRY_BYTES);

	if (text && guest_text(text, ENTRY_BYTES, address) &&
	    push(&l->owned, text))
		return text;
	free(text);
	return NULL;
}

/* It would act on QEMU itself, and QEMU parts settings at commas. */
static bool set_in_program(struct launch *l, const char *entry)
{
	char *text = own_text(l, entry);

	return text && !strchr(text, ',') && strchr(text, '=') &&
	       push(&l->command, (char *)"-E") && push(&l->command, text);
}

/* QEMU drops what is no NAME=VALUE. */
static bool is_setting(const char *entry)
{
	char part[65] = "";
	uint64_t at = guest_address(entry);

	for (;; at += 64) {
		if (!guest_text(part, 64, at) && !guest_read(part, 64, at))
			return false;
		if (strchr(part, '='))
			return true;
		if (strlen(part) < 64)
			return false;
	}
}

/* QEMU turns the order round; so it is turned round here. */
static bool take_environment(struct launch *l)
{
	const struct list *from = &l->environment;
	struct list out = { .at = NULL };
	char begin[4] = "";
	bool ok = true;

	for (size_t i = from->n; ok && i > 0; i--) {
		char *entry = from->at[i - 1];

		ok = is_setting(entry) &&
		     guest_read(begin, 3, guest_address(entry));
		if (ok && memcmp(begin, "LD_", 3) == 0)
			ok = set_in_program(l, entry);
		else if (ok)
			ok = push(&out, entry);
	}
	ok = ok && push(&out, NULL);
	free(l->environment.at);
	l->environment = out;
	return ok;
}

static bool take_arguments(struct launch *l, uint64_t address)
{
	for (int i = 0; i < IN_FRONT; i++)
		if (!push(&l->argument, NULL))
			return false;
	l->first = IN_FRONT;
	return read_list(&l->argument, address) && l->argument.n > IN_FRONT;
}

/* ---- QEMU again --------------------------------------------------------- */

static bool add_options(struct launch *l)
{
	struct list *c = &l->command;
	struct child_tally_head *tallies = session.tallies;

	return push(c, tallies->qemu) && push(c, (char *)"-cpu") &&
	       push(c, tallies->cpu) &&
	       (!binary_needs_sysroot(&l->binary) ||
		(push(c, (char *)"-L") && push(c, tallies->sysroot)));
}

static bool add_program(struct launch *l)
{
	struct list *c = &l->command;
	bool ok;

	snprintf(l->plugin, sizeof(l->plugin),
		 "%s,tally=/proc/self/fd/%d,slot=%u", session.tallies->plugin,
		 l->fd, l->child.slot);
	ok = push(c, (char *)"-plugin") && push(c, l->plugin) &&
	     push(c, (char *)"-0") && push(c, l->argument.at[l->first]) &&
	     push(c, l->path);
	for (size_t i = l->first + 1; ok && i < l->argument.n; i++)
		ok = push(c, l->argument.at[i]);
	return ok && push(c, NULL);
}

static void name_child(struct launch *l)
{
	const char *name = l->open || is_own_file(l->name) ? l->path : l->name;
	const char *slash = strrchr(name, '/');
	struct tally *t = l->child.map.tally;

	strncpy(t->name, slash ? slash + 1 : name, sizeof(t->name) - 1);
	t->name[sizeof(t->name) - 1] = '\0';
	t->pid = (uint32_t)getpid();
	t->replaced = session.slot + 1;
}

/* Capabilities that are lost by execve may be those that reach these files. */
static bool can_run_qemu(const struct launch *l)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
	struct __user_cap_data_struct kept[_LINUX_CAPABILITY_U32S_3];
	Dl_info plugin;
	bool ok;

	if (!dladdr(&session, &plugin) ||
	    syscall(SYS_capget, &head, held) < 0)
		return false;
	memcpy(kept, held, sizeof(kept));
	if (geteuid() != 0)
		kept[0].effective = kept[1].effective = 0;
	syscall(SYS_capset, &head, kept);
	ok = may(session.tallies->qemu, X_OK) &&
	     may(plugin.dli_fname, R_OK) && may(l->path, R_OK);
	syscall(SYS_capset, &head, held);
	return ok;
}

/* Rights that are lost by execve may be those that let it be opened, so it
 * stays open; not as a standard stream that the program has closed. */
static int inherited(int fd)
{
	const int high = fcntl(fd, F_DUPFD, 10);

	if (high < 0)
		fcntl(fd, F_SETFD, 0);
	return high < 0 ? fd : high;
}

/* Returns if it did not work. */
static enum tally_exec run(struct launch *l)
{
	const enum tally_exec why = child_slot_take(&l->child);

	if (why != EXEC_NONE)
		return why;
	name_child(l);
	l->fd = inherited(l->child.fd);
	if (add_program(l))
		execve(session.tallies->qemu, l->command.at, l->environment.at);
	if (l->fd != l->child.fd)
		close(l->fd);
	child_slot_give_back(&l->child);
	return EXEC_unpassable;
}

static enum tally_exec launch(struct launch *l, uint64_t arguments,
				uint64_t environment)
{
	enum tally_exec why = name_file(l);

	if (why != EXEC_NONE)
		return why;
	if (!take_arguments(l, arguments) ||
	    !read_list(&l->environment, environment))
		return EXEC_unpassable;
	why = find_program(l);
	if (why != EXEC_NONE)
		return why;
	if (!tallies_same_root() || !can_run_qemu(l))
		return EXEC_unreachable;
	if (!add_options(l) || !take_environment(l))
		return EXEC_unpassable;
	return run(l);
}

static void launch_free(struct launch *l)
{
	for (size_t i = 0; i < l->owned.n; i++)
		free(l->owned.at[i]);
	free(l->owned.at);
	free(l->argument.at);
	free(l->environment.at);
	free(l->command.at);
	free(l);
}

/* What execveat names: below a directory, or a file that is open. */
static bool name_at(char *out, int directory, const char *path, int flags)
{
	char found[PATH_MAX];

	if (flags & ~AT_EMPTY_PATH)
		return false;
	if (*path == '/' || (*path && directory == AT_FDCWD))
		return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
	if ((!*path && !(flags & AT_EMPTY_PATH)) ||
	    !name_open(found, directory))
		return false;
	return snprintf(out, PATH_MAX, *path ? "%s/%s" : "%s", found, path) <
	       PATH_MAX;
}

static bool read_name(struct launch *l, const struct execution *e)
{
	char path[PATH_MAX];

	if (!guest_text(path, sizeof(path), e->path))
		return false;
	l->open = !*path;
	return name_at(l->name, e->directory, path, e->flags);
}

enum tally_exec follow_exec(const struct execution *e)
{
	struct launch *l;
	enum tally_exec why = EXEC_unpassable;

	if (!children_are_simulated())
		return EXEC_alone;
	l = calloc(1, sizeof(*l));
	if (!l)
		return why;
	if (read_name(l, e))
		why = launch(l, e->arguments, e->environment);
	launch_free(l);
	return why;
}

bool follow_exec_is_possible(const char *path, enum tally_exec why)
{
	struct binary binary;

	return why == EXEC_alone ||
	       (why == EXEC_foreign && binary_read(&binary, path) == 0 &&
		binary.kind == BINARY_PROGRAM);
}
