/* SPDX-License-Identifier: MIT */
/*
 * Reads board files: rows of a key and values, separated by blanks; `#` begins a
 * comment line. Every value is checked before the compiler gets it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "base/text.h"

#define GIB UINT64_C(0x40000000)

/* ---- board files --------------------------------------------------------- */

struct rows {
	const char *file;
	unsigned line;
	struct assay_error *err;
};

static int row_error(const struct rows *r, const char *why, const char *word)
{
	return error_at(r->err, r->file, NULL, r->line, 1, "%s '%.60s'", why,
			word);
}

static int parse_number(const struct rows *r, const char *word, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = word ? strtoull(word, &end, 0) : 0;
	if (!word || *word == '-' || end == word || *end || errno)
		return row_error(r, "this is no number:", word ? word : "");
	return 0;
}

static int parse_row(struct board *b, const struct rows *r, const char *key,
		    const char *first, const char *second)
{
	uint64_t *const numbers[] = {
		&b->load, &b->uart, &b->uart_clock, &b->cpu_clock
	};
	static const char *const keys[] = {
		"load", "uart", "uart-clock", "cpu-clock"
	};
	uint64_t value;
	int rc;

	for (int i = 0; i < 4; i++)
		if (strcmp(keys[i], key) == 0)
			return parse_number(r, first, numbers[i]);
	if (strcmp(key, "ram") == 0) {
		rc = parse_number(r, first, &b->ram);
		return rc ? rc : parse_number(r, second, &b->ram_bytes);
	}
	if (strcmp(key, "starts-at") == 0) {
		rc = parse_number(r, first, &value);
		b->starts_at = (unsigned)value;
		return rc || value <= 3 ? rc :
		       row_error(r, "the level must be 0 to 3, not", first);
	}
	if (strcmp(key, "semihosting") == 0 && first &&
	    (strcmp(first, "yes") == 0 || strcmp(first, "no") == 0)) {
		b->semihosting = first[0] == 'y';
		return 0;
	}
	return row_error(r, "unknown row, or 'yes' or 'no' was expected:", key);
}

static int read_rows(struct board *b, FILE *in, struct rows *r)
{
	char text[256], *next, *word[3];
	int rc = 0;

	while (rc == 0 && fgets(text, sizeof(text), in)) {
		r->line++;
		text[strcspn(text, "\r\n")] = '\0';
		if (!text[0] || text[0] == '#')
			continue;
		for (int i = 0; i < 3; i++)
			word[i] = strtok_r(i ? NULL : text, " \t", &next);
		if (word[0])
			rc = parse_row(b, r, word[0], word[1], word[2]);
	}
	return rc;
}

static int check(const struct board *b, const struct rows *r)
{
	if (!b->ram_bytes || b->ram_bytes > GIB || b->ram > UINT64_MAX - GIB ||
	    b->ram / GIB != (b->ram + b->ram_bytes - 1) / GIB)
		return row_error(r, "'ram' must lie in one aligned GiB:",
				 b->name);
	if (b->load % 4096 || b->load < b->ram ||
	    b->load >= b->ram + b->ram_bytes || b->load < 0x200000)
		return row_error(r, "'load' must be a multiple of 4096 in "
				 "'ram', from 2 MiB on:", b->name);
	if (!b->uart || b->uart >> 36)
		return row_error(r, "'uart' must be below 2^36:", b->name);
	return 0;
}

int board_load(struct board *out, const char *sources, const char *name,
	       struct assay_error *err)
{
	char path[BARE_PATH];
	struct rows r = { path, 0, err };
	const char *word = strrchr(name, '/');
	FILE *in;
	int rc;

	*out = (struct board){ .load = 0 };
	word = word ? word + 1 : name;
	snprintf(out->name, sizeof(out->name), "%.*s",
		 (int)strcspn(word, "."), word);
	if (strspn(out->name, "abcdefghijklmnopqrstuvwxyz0123456789-_") !=
	    strlen(out->name) || !out->name[0])
		return error_set(err, -ASSAY_EINVAL, "a board's name has small "
				 "letters, digits and '-' only: '%.60s'", name);
	if (strchr(name, '/'))
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%s/bare/boards/%s.board",
			 sources, name);
	in = fopen(path, "r");
	if (!in && !strchr(name, '/'))
		return error_set(err, -ASSAY_ENOENT, "unknown board '%.60s'; "
				 "known: qemu-virt, rpi4, pl011, or "
				 "./FILE.board", name);
	if (!in)
		return error_read(err, path);
	rc = read_rows(out, in, &r);
	fclose(in);
	return rc ? rc : check(out, &r);
}

int bare_levels(const struct assay_bare *bare, const struct board *board,
		unsigned *level, unsigned *from, struct assay_error *err)
{
	unsigned to = bare->level ? bare->level : 3, at = bare->from;

	if (!bare->level && board->starts_at)
		to = board->starts_at;
	if (!at)
		at = board->starts_at ? board->starts_at : to;
	if (to > 3 || at > 3)
		return error_set(err, -ASSAY_ERANGE,
				 "the exception level must be 1, 2 or 3");
	if (at < to)
		return error_set(err, -ASSAY_EINVAL, "board '%s' starts at "
				 "EL%u, and an image can only go down from "
				 "there, not to EL%u", board->name, at, to);
	*level = to;
	*from = at;
	return 0;
}
