/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first program that is run by execve and not simulated: what is to be
 * said to simulate it.
 */
#include <string.h>
#include <unistd.h>

#include "plugin/callbacks/guest.h"
#include "plugin/children/follow-exec.h"
#include "plugin/children/not-simulated.h"

#define WORD 512	/* bytes of one argument, at most */

/* false: it is too long, not there, or nothing for a terminal. */
static bool read_text(char *out, size_t room, uint64_t address)
{
	if (!guest_text(out, room, address))
		return false;
	for (; *out; out++)
		if ((unsigned char)*out < ' ' || *out == 0x7f)
			return false;
	return true;
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
		if (!guest_read(&at, sizeof(at), list + i * sizeof(at)))
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

void not_simulated_note(uint64_t path, uint64_t arguments, enum tally_exec why)
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
	tally->can_simulate = follow_exec_is_possible(name, why);
}
