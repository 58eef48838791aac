/* SPDX-License-Identifier: MIT */
/*
 * Addresses of breakpoint events that name a symbol of the program. The load
 * address of a program is known only after exec, but counting starts at exec.
 * So the program is started once before the runs, stopped at its first
 * instruction (ptrace), its load address is read from /proc/PID/maps, and it is
 * killed. This start and all runs are without address-space randomisation, so
 * the load address is the same each time.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stat/stat.h"
#include "stat/symbols.h"
#include "base/loading/library.h"
#include "base/text.h"

static bool needs_symbol(const struct encoding *e)
{
	return e->family == ENCODING_BREAKPOINT && e->bp_symbol[0] &&
	       !e->absent[0] && strcmp(e->bp_symbol, "watched") != 0;
}

bool stat_needs_symbols(const struct group *group)
{
	for (unsigned e = 0; e < group->events; e++)
		if (needs_symbol(&group->event[e]))
			return true;
	return false;
}

bool stat_disable_aslr(void)
{
	const int now = personality(0xffffffff);

	return now >= 0 &&
	       personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;
}

/* ---- the stopped program ------------------------------------------------- */

/* The child: executes the program, which stops at exec. The exit code is the
 * errno of exec, or 0 if the child could not be traced. */
static void run_stopped(char *const *program)
{
	/* If assay dies, the program must not run on. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || !stat_disable_aslr() ||
	    ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(0);
	execvp(program[0], program);
	_exit(errno);
}

/* Returns the process, stopped at its exec; or 0, with the errno of exec in
 * *error, or 0 there if the program could not be traced. */
static pid_t start_stopped(char *const *program, int *error)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		run_stopped(program);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 0;
	*error = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	return WIFSTOPPED(status) ? pid : 0;
}

static void end_stopped(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

/* ---- addresses ----------------------------------------------------------- */

/* The load bias: what is added to the addresses in the file. 0 unless the
 * program is position-independent. */
static bool find_bias(pid_t pid, const char *exe, uint64_t *out)
{
	unsigned char ident[EI_NIDENT + 2];
	char path[64], line[512], file[4096];
	unsigned long long start, offset;
	const int fd = open(exe, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, ident, sizeof(ident));
	FILE *maps;
	bool found = false;

	if (fd >= 0)
		close(fd);
	if (n != (ssize_t)sizeof(ident) || memcmp(ident, ELFMAG, SELFMAG))
		return false;
	*out = 0;
	if (ident[EI_NIDENT] != ET_DYN && ident[EI_NIDENT + 1] != ET_DYN)
		return true;
	n = readlink(exe, file, sizeof(file) - 1);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = n > 0 ? fopen(path, "re") : NULL;
	if (!maps)
		return false;
	file[n] = '\0';
	while (!found && fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = '\0';
		found = sscanf(line, "%llx-%*x %*s %llx", &start,
			       &offset) == 2 && offset == 0 &&
			strlen(line) >= strlen(file) &&
			!strcmp(line + strlen(line) - strlen(file), file);
	}
	fclose(maps);
	*out = found ? start : 0;
	return found;
}

/* The address in the file of "name" or "name+0x10". */
static bool find_address(const struct symbols *symbols, const char *text,
			 uint64_t *out)
{
	const char *plus = strchr(text, '+');
	char name[ASSAY_NAME], *end;
	uint64_t more = 0;

	text_copy(name, sizeof(name), text);
	if (plus) {
		name[plus - text] = '\0';
		more = strtoull(plus + 1, &end, 0);
		if (!plus[1] || *end)
			return false;
	}
	if (!symbols_address(symbols, name, out) || !*out)
		return false;
	*out += more;
	return true;
}

/* Gives a breakpoint event its address, or the reason why it has none. */
static void resolve(struct encoding *e, const struct symbols *symbols,
		    uint64_t bias)
{
	char symbol[ASSAY_NAME];
	struct assay_error err;
	uint64_t address;

	text_copy(symbol, sizeof(symbol), e->bp_symbol);
	if (!symbols && library_need(LIBRARY_DW, &err))
		text_copy(e->absent, sizeof(e->absent), err.text);
	else if (!symbols)
		snprintf(e->absent, sizeof(e->absent), "the program's symbols "
			 "cannot be read: is it stripped?");
	else if (!find_address(symbols, symbol, &address))
		snprintf(e->absent, sizeof(e->absent), "the program has no "
			 "symbol '%.60s'", symbol);
	else {
		e->bp_addr = bias + address;
		e->bp_symbol[0] = '\0';
		snprintf(e->code, sizeof(e->code), "0x%llx/%u",
			 (unsigned long long)e->bp_addr, (unsigned)e->bp_len);
	}
}

static void resolve_all(struct group *group, pid_t pid)
{
	struct symbols *symbols;
	char exe[64];
	uint64_t bias;
	const char *why = NULL;

	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)pid);
	symbols = symbols_open(exe, NULL);
	if (!find_bias(pid, exe, &bias))
		why = "where the program lies cannot be read (/proc/PID/maps)";
	for (unsigned e = 0; e < group->events; e++) {
		if (!needs_symbol(&group->event[e]))
			continue;
		if (why)
			text_copy(group->event[e].absent, ASSAY_WHY, why);
		else
			resolve(&group->event[e], symbols, bias);
	}
	symbols_close(symbols);
}

static void refuse_all(struct group *group, const char *why)
{
	for (unsigned e = 0; e < group->events; e++)
		if (needs_symbol(&group->event[e]))
			text_copy(group->event[e].absent, ASSAY_WHY, why);
}

int stat_find_symbols(struct group *group, const struct assay_stat *stat)
{
	const char *process = stat->pids ? stat->pids : stat->tids;
	int error = 0;
	pid_t pid;

	if (stat->program) {
		pid = start_stopped(stat->program, &error);
		if (pid) {
			resolve_all(group, pid);
			end_stopped(pid);
		} else {
			refuse_all(group, "the program cannot be stopped at "
				   "its start to find the symbol (ptrace)");
		}
	} else if (process && !strchr(process, ',')) {
		resolve_all(group, (pid_t)strtol(process, NULL, 10));
	} else {
		refuse_all(group, "whose symbol it is, is known for one "
			   "program or one process only: give an address");
	}
	return error;
}
