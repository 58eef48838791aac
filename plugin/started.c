/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first program that is run by execve, here or in a child: what is to be
 * said to simulate it. The guest's memory is read by the kernel, as what a
 * program hands over may lie anywhere.
 */
#define _GNU_SOURCE	/* process_vm_readv */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "session.h"

#define WORD 512	/* bytes of one argument, at most */

static bool read_guest(void *out, size_t bytes, uint64_t address)
{
	const struct iovec to = { out, bytes };
	const struct iovec from = {
		(void *)(uintptr_t)(address + session.guest_base), bytes
	};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) ==
	       (ssize_t)bytes;
}

/* false: it is too long, not there, or nothing for a terminal. */
static bool read_text(char *out, size_t room, uint64_t address)
{
	for (size_t i = 0; i < room; i++) {
		if (!read_guest(out + i, 1, address + i))
			return false;
		if (!out[i])
			return true;
		if ((unsigned char)out[i] < ' ' || out[i] == 0x7f)
			return false;
	}
	return false;
}

static bool is_plain(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-+=./,:@%";

	return *word && word[strspn(word, plain)] == '\0';
}

struct text {
	char *at;
	size_t room;
	bool full;
};

static void add(struct text *t, const char *bytes, size_t n)
{
	if (t->full || n >= t->room) {
		t->full = true;
		return;
	}
	memcpy(t->at, bytes, n);
	t->at += n;
	t->room -= n;
	*t->at = '\0';
}

static void add_word(struct text *t, const char *word)
{
	if (is_plain(word)) {
		add(t, word, strlen(word));
		return;
	}
	add(t, "'", 1);
	for (; *word; word++)
		if (*word == '\'')
			add(t, "'\\''", 4);
		else
			add(t, word, 1);
	add(t, "'", 1);
}

/* false: not all of them can be had. */
static bool add_arguments(struct text *t, uint64_t list)
{
	char word[WORD];
	uint64_t at;

	for (unsigned i = 1; i < 256; i++) {
		if (!read_guest(&at, sizeof(at), list + i * sizeof(at)))
			return false;
		if (!at)
			return !t->full;
		if (!read_text(word, sizeof(word), at))
			return false;
		add(t, " ", 1);
		add_word(t, word);
	}
	return false;
}

void started_note(uint64_t path, uint64_t arguments)
{
	struct tally *tally = session.map.tally;
	char name[WORD], command[TALLY_COMMAND] = "";
	struct text t = { command, sizeof(command), false };

	if (!read_text(name, sizeof(name), path) || access(name, X_OK) != 0)
		return;
	add_word(&t, name);
	if (!add_arguments(&t, arguments) ||
	    __atomic_exchange_n(&tally->named, 1, __ATOMIC_RELAXED))
		return;
	memcpy(tally->started, command, sizeof(command));
}
