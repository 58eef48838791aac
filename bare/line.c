/* SPDX-License-Identifier: MIT */
/* Writing lines of JSON, and records as lines. See line.h. */
#include <stdbool.h>
#include <stdio.h>

#include "board.h"
#include "line.h"

/* Larger numbers are written as strings: readers that use doubles round. */
#define EXACT (UINT64_C(1) << 53)

/* Of the line that is open: the checksum so far; is a comma due? */
static uint32_t crc;
static bool comma;

static void put(char c)
{
	crc ^= (unsigned char)c;
	for (int bit = 0; bit < 8; bit++)
		crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	uart_put(c);
}

static void put_all(const char *text)
{
	while (*text)
		put(*text++);
}

static void put_text(const char *text)
{
	char code[8];

	put('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\') {
			put('\\');
			put(*text);
		} else if (c < 0x20 || c > 0x7e) {
			snprintf(code, sizeof(code), "\\u%04x", c);
			put_all(code);
		} else {
			put(*text);
		}
	}
	put('"');
}

static void put_key(const char *key)
{
	if (comma)
		put(',');
	comma = true;
	if (!key)
		return;
	put_text(key);
	put(':');
}

static void put_integer(int64_t value)
{
	bool quoted = value > (int64_t)EXACT || value < -(int64_t)EXACT;
	char digits[24];

	snprintf(digits, sizeof(digits), quoted ? "\"%ld\"" : "%ld", value);
	put_all(digits);
}

static void put_number(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX) {
		put_integer((int64_t)value);
		return;
	}
	snprintf(digits, sizeof(digits), "\"%lu\"", value);
	put_all(digits);
}

void line_begin(const char *type)
{
	crc = 0xffffffff;
	comma = false;
	put('{');
	line_text("t", type);
}

void line_end(void)
{
	char last[32];

	snprintf(last, sizeof(last), ",\"crc32\":\"%08x\"}\r\n", ~crc);
	put_all(last);
}

void line_text(const char *key, const char *text)
{
	put_key(key);
	put_text(text);
}

void line_number(const char *key, uint64_t value)
{
	put_key(key);
	put_number(value);
}

void line_integer(const char *key, int64_t value)
{
	put_key(key);
	put_integer(value);
}

void line_hex(const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%lx", value);
	line_text(key, digits);
}

void line_open(const char *key, char bracket)
{
	put_key(key);
	put(bracket);
	comma = false;
}

void line_close(char bracket)
{
	put(bracket);
	comma = true;
}

void line_element(uint64_t value)
{
	line_number(NULL, value);
}

/* ---- records ------------------------------------------------------------ */

static const char *const kinds[] = {
	[ASSAY_OPTION_COUNT] = "count", [ASSAY_OPTION_BYTES] = "bytes",
	[ASSAY_OPTION_CHOICE] = "choice", [ASSAY_OPTION_FLAG] = "flag",
	[ASSAY_OPTION_REAL] = "real",
};

static void machine(const struct assay_machine *m)
{
	line_open("machine", '{');
	line_text("host", m->host);
	line_text("cpu", m->cpu);
	line_text("isa", m->isa);
	line_text("kernel", m->kernel);
	line_text("hypervisor", m->hypervisor);
	line_close('}');
}

static void shape(const struct assay_shape *s)
{
	line_open("shape", '{');
	line_text("kernel", s->kernel);
	line_open("options", '[');
	for (unsigned i = 0; i < s->options; i++) {
		const struct assay_shape_value *o = &s->option[i];

		line_open(NULL, '{');
		line_text("name", o->name);
		line_text("kind", kinds[o->kind]);
		line_integer("value", o->value);
		if (o->kind == ASSAY_OPTION_CHOICE)
			line_text("word", o->word);
		line_close('}');
	}
	line_close(']');
	line_close('}');
}

static void settings(const struct assay_settings *s)
{
	line_open("settings", '{');
	line_integer("cpu", s->cpu);
	line_number("warmup", s->warmup);
	line_text("page_map", s->page_map);
	line_text("pages", s->pages);
	line_text("options", s->options);
	line_close('}');
}

static void count(const struct assay_count *c)
{
	line_open(NULL, '{');
	if (c->state == ASSAY_COUNT_ABSENT)
		line_text("absent", c->why ? c->why : "not read");
	else
		line_number("value", c->value);
	line_close('}');
}

static void event(const struct assay_record *r, unsigned e)
{
	line_open(NULL, '{');
	line_text("name", r->event[e].name);
	line_text("code", r->event[e].code);
	if (r->event[e].why[0])
		line_text("why", r->event[e].why);
	line_open("counts", '[');
	for (unsigned n = 0; n < r->repeats; n++)
		count(&r->counts[n * r->events + e]);
	line_close(']');
	line_close('}');
}

void record_line(const struct assay_record *r)
{
	line_begin("record");
	line_number("schema", ASSAY_SCHEMA);
	line_text("provider", r->provider);
	machine(&r->machine);
	shape(&r->shape);
	settings(&r->settings);
	line_open("ns", '[');
	for (unsigned n = 0; n < r->repeats; n++)
		line_element(r->ns[n]);
	line_close(']');
	line_open("events", '[');
	for (unsigned e = 0; e < r->events; e++)
		event(r, e);
	line_close(']');
	line_open("truth", '{');
	line_text("absent", "not known to a PMU");
	line_close('}');
	line_number("fast_forwarded", r->fast_forwarded);
	line_end();
}
