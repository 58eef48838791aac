/* SPDX-License-Identifier: MIT */
/*
 * YAML text to struct yaml, through libfyaml's event parser.
 *
 * Why events and not libfyaml's documents: the limits hold before memory is
 * allocated, no alias is followed, and places are byte offsets into our own
 * copy of the text, from which line and column are counted.
 */
#include "cpus/yaml.h"

#include <libfyaml.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "cpus/pool.h"

/* A mapping or sequence whose members are being read. */
struct frame {
	struct yaml_node *node, *last;
	bool has_key;		/* a key was read, its value not yet */
	const char *key;
	size_t key_offset;
};

struct builder {
	struct yaml *yaml;
	struct pool *pool;
	size_t bytes;
	struct frame frame[YAML_DEPTH];
	unsigned depth;
	unsigned nodes, documents;
	size_t line_start;	/* of the line that `line` counts */
	unsigned line;
	struct assay_error *err;
};

/* Line and column of an offset: offsets of calls are near each other. */
static void place(struct builder *b, size_t offset, unsigned *line,
		  unsigned *col)
{
	const char *text = b->yaml->text;

	if (offset > b->bytes)
		offset = b->bytes;
	while (offset < b->line_start) {
		b->line--;
		b->line_start--;	/* the end of the line before */
		while (b->line_start && text[b->line_start - 1] != '\n')
			b->line_start--;
	}
	for (size_t i = b->line_start; i < offset; i++) {
		if (text[i] != '\n')
			continue;
		b->line_start = i + 1;
		b->line++;
	}
	*line = b->line;
	*col = (unsigned)(offset - b->line_start) + 1;
}

static int fail_at(struct builder *b, size_t offset, const char *why)
{
	unsigned line, col;

	place(b, offset, &line, &col);
	return error_at(b->err, b->yaml->file, b->yaml->text, line, col, "%s",
			why);
}

static size_t event_offset(struct fy_event *event)
{
	struct fy_token *token = fy_event_get_token(event);
	const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;

	return mark ? mark->input_pos : 0;
}

/*
 * The offset of a scalar's text. libfyaml marks a block scalar before its
 * indent, and gives no place to a value that was left out: then the key's.
 */
static size_t scalar_offset(const struct builder *b, struct fy_event *event,
			    const char *text)
{
	static const char spaces[] = " \t\r\n";
	const struct frame *f = b->depth ? &b->frame[b->depth - 1] : NULL;
	size_t offset = event_offset(event);

	if (!*text && f && f->has_key && offset < f->key_offset)
		return f->key_offset;
	if (offset > b->bytes)
		return b->bytes;
	if (*text && !strchr(spaces, *text))
		offset += strspn(b->yaml->text + offset, spaces);
	return offset;
}

static int check_key(struct builder *b, const struct frame *f,
		     const char *key, size_t offset)
{
	const struct yaml_node *n;
	unsigned line, col;

	for (n = f->node->first; n; n = n->next)
		if (strcmp(n->key, key) == 0)
			break;
	if (n) {
		place(b, offset, &line, &col);
		return error_at(b->err, b->yaml->file, b->yaml->text, line, col,
				"'%.60s' is given twice (first in line %u)",
				key, n->key_line);
	}
	return *key ? 0 : fail_at(b, offset, "a key must not be empty");
}

/* Appends a node to the innermost frame, under the frame's key in a mapping. */
static void attach(struct builder *b, struct yaml_node *node)
{
	struct frame *f = b->depth ? &b->frame[b->depth - 1] : NULL;

	if (!f) {
		b->yaml->root = node;
		return;
	}
	if (f->node->kind == YAML_MAPPING) {
		node->key = f->key;
		place(b, f->key_offset, &node->key_line, &node->key_col);
		f->has_key = false;
	}
	if (f->last)
		f->last->next = node;
	else
		f->node->first = node;
	f->last = node;
	f->node->count++;
}

static struct yaml_node *new_node(struct builder *b, enum yaml_kind kind,
				  size_t offset)
{
	struct yaml_node *node = pool_get(b->pool, sizeof(*node));

	if (!node)
		return NULL;
	node->kind = kind;
	node->offset = offset;
	place(b, offset, &node->line, &node->col);
	return node;
}

static bool wants_key(const struct builder *b)
{
	const struct frame *f = b->depth ? &b->frame[b->depth - 1] : NULL;

	return f && f->node->kind == YAML_MAPPING && !f->has_key;
}

/* Cuts white space at the end: a block scalar always ends in a line feed. */
static void cut_blanks(char *text)
{
	size_t n = strlen(text);

	while (n && strchr(" \t\r\n", text[n - 1]))
		n--;
	text[n] = '\0';
}

static int read_scalar(struct builder *b, struct fy_event *event)
{
	struct yaml_node *node;
	size_t length = 0, offset;
	const char *got = fy_token_get_text(event->scalar.value, &length);
	char *text = pool_text(b->pool, got ? got : "", got ? length : 0);
	struct frame *f;

	if (!text)
		return error_memory(b->err);
	offset = scalar_offset(b, event, text);
	if (got && strlen(text) != length)
		return fail_at(b, offset, "a text must not hold a NUL byte");
	if (wants_key(b)) {
		f = &b->frame[b->depth - 1];
		f->key = text;
		f->key_offset = offset;
		f->has_key = true;
		if (f->node->count == YAML_KEYS)
			return fail_at(b, offset, "too many keys here");
		return check_key(b, f, text, offset);
	}
	node = new_node(b, YAML_SCALAR, offset);
	if (!node)
		return error_memory(b->err);
	cut_blanks(text);
	node->text = text;
	attach(b, node);
	return 0;
}

static int open_node(struct builder *b, enum yaml_kind kind, size_t offset)
{
	struct yaml_node *node;

	if (wants_key(b))
		return fail_at(b, offset, "a key must be a word");
	if (b->depth == YAML_DEPTH)
		return fail_at(b, offset, "nested too deep");
	node = new_node(b, kind, offset);
	if (!node)
		return error_memory(b->err);
	attach(b, node);
	b->frame[b->depth++] = (struct frame){ .node = node };
	return 0;
}

static int refuse_extras(struct builder *b, struct fy_token *anchor,
			 struct fy_token *tag)
{
	const struct fy_mark *mark;

	if (!anchor && !tag)
		return 0;
	mark = fy_token_start_mark(anchor ? anchor : tag);
	return fail_at(b, mark ? mark->input_pos : 0,
		       anchor ? "anchors are not allowed here"
			      : "tags are not allowed here");
}

/* Adds one event of libfyaml's to the tree. */
static int read_event(struct builder *b, struct fy_event *event)
{
	const size_t offset = event_offset(event);
	int error;

	if (++b->nodes > YAML_NODES)
		return fail_at(b, offset, "too many values in one file");
	switch (event->type) {
	case FYET_DOCUMENT_START:
		return b->documents++ ?
			fail_at(b, offset, "only one document is allowed") : 0;
	case FYET_ALIAS:
		return fail_at(b, offset, "aliases are not allowed here");
	case FYET_SCALAR:
		error = refuse_extras(b, event->scalar.anchor,
				      event->scalar.tag);
		return error ? error : read_scalar(b, event);
	case FYET_MAPPING_START:
		error = refuse_extras(b, event->mapping_start.anchor,
				      event->mapping_start.tag);
		return error ? error : open_node(b, YAML_MAPPING, offset);
	case FYET_SEQUENCE_START:
		error = refuse_extras(b, event->sequence_start.anchor,
				      event->sequence_start.tag);
		return error ? error : open_node(b, YAML_SEQUENCE, offset);
	case FYET_MAPPING_END:
	case FYET_SEQUENCE_END:
		b->depth--;
		return 0;
	default:
		return 0;
	}
}

/*
 * libfyaml's first error, in the form of our own. libfyaml may name the line
 * behind the last one; the error then shows the last line.
 */
static int syntax_error(struct builder *b, struct fy_diag *diag)
{
	struct fy_diag_error *e;
	unsigned line, col;
	void *at = NULL;

	place(b, b->bytes, &line, &col);
	while ((e = fy_diag_errors_iterate(diag, &at))) {
		if (e->type != FYET_ERROR || e->line <= 0)
			continue;
		if ((unsigned)e->line <= line) {
			line = (unsigned)e->line;
			col = e->column > 0 ? (unsigned)e->column : 1;
		}
		return error_at(b->err, b->yaml->file, b->yaml->text, line,
				col, "%.200s", e->msg ? e->msg : "bad YAML");
	}
	return fail_at(b, 0, "not a YAML text");
}

static void discard(struct fy_diag *diag, void *user, const char *text,
		    size_t bytes)
{
	(void)diag, (void)user, (void)text, (void)bytes;
}

static struct fy_diag *quiet_diag(void)
{
	struct fy_diag_cfg cfg;
	struct fy_diag *diag;

	fy_diag_cfg_default(&cfg);
	cfg.fp = NULL;
	cfg.output_fn = discard;
	cfg.colorize = false;
	cfg.level = FYET_ERROR;
	diag = fy_diag_create(&cfg);
	if (diag)
		fy_diag_set_collect_errors(diag, true);
	return diag;
}

static int read_events(struct builder *b, struct fy_parser *parser,
		       struct fy_diag *diag)
{
	struct fy_event *event;
	int error = 0;

	while (!error && (event = fy_parser_parse(parser))) {
		error = read_event(b, event);
		fy_parser_event_free(parser, event);
	}
	if (!error && (fy_parser_get_stream_error(parser) ||
		       fy_diag_got_error(diag)))
		error = syntax_error(b, diag);
	if (!error && !b->yaml->root)
		error = fail_at(b, 0, "the file is empty");
	return error;
}

static int run_parser(struct builder *b)
{
	struct fy_parse_cfg cfg = { .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG };
	struct fy_parser *parser;
	int error = library_need(LIBRARY_FYAML, b->err);

	if (error)
		return error;
	cfg.diag = quiet_diag();
	if (!cfg.diag)
		return error_memory(b->err);
	parser = fy_parser_create(&cfg);
	if (!parser || fy_parser_set_string(parser, b->yaml->text, b->bytes))
		error = error_memory(b->err);
	else
		error = read_events(b, parser, cfg.diag);
	if (parser)
		fy_parser_destroy(parser);
	fy_diag_destroy(cfg.diag);
	return error;
}

/* The length of the UTF-8 character at p, 1 to 4 bytes, at most `left`; 0: the
 * bytes are no UTF-8. */
static size_t character(const unsigned char *p, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 :
			 *p >> 3 == 30 ? 4 : 0;
	uint32_t c = n == 1 ? *p : *p & (0x7fu >> n);

	if (!n || n > left)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	return n;
}

/*
 * Refuses bad UTF-8, control characters and directives before libfyaml sees
 * them: libfyaml never returns from some malformed texts, such as a directive
 * with bad UTF-8.
 */
static int check_characters(struct builder *b)
{
	const unsigned char *text = (const unsigned char *)b->yaml->text;
	size_t n;

	for (size_t i = 0; i < b->bytes; i += n) {
		n = character(text + i, b->bytes - i);
		if (!n)
			return fail_at(b, i, "this is not UTF-8");
		if (!text[i])
			return fail_at(b, i,
				       "a text must not hold a NUL byte");
		if ((text[i] < ' ' && !strchr("\t\n\r", text[i])) ||
		    text[i] == 0x7f)
			return fail_at(b, i,
				       "control characters are not allowed");
		if (text[i] == '%' && (!i || text[i - 1] == '\n'))
			return fail_at(b, i, "directives are not allowed here");
	}
	return 0;
}

static int check_bytes(struct builder *b)
{
	if (b->bytes > YAML_BYTES)
		return error_set(b->err, -ASSAY_ERANGE,
				 "'%.300s' is larger than %u MiB",
				 b->yaml->file, YAML_BYTES >> 20);
	return check_characters(b);
}

int yaml_parse(struct yaml **out, const char *file, const char *text,
	       size_t bytes, struct assay_error *err)
{
	static const char mark[] = "\xef\xbb\xbf";	/* byte order mark */
	struct pool *pool = pool_new();
	const size_t skip = bytes >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
	struct builder b = { .pool = pool, .bytes = bytes - skip, .line = 1,
			     .err = err };
	int error;

	b.yaml = pool ? pool_get(pool, sizeof(*b.yaml)) : NULL;
	if (b.yaml) {
		b.yaml->owned = pool;
		b.yaml->file = pool_text(pool, file, strlen(file));
		b.yaml->text = pool_text(pool, text + skip, b.bytes);
	}
	if (!b.yaml || !b.yaml->file || !b.yaml->text) {
		pool_free(pool);
		return error_memory(b.err);
	}
	error = check_bytes(&b);
	if (!error)
		error = run_parser(&b);
	if (error)
		pool_free(pool);
	else
		*out = b.yaml;
	return error;
}

void yaml_free(struct yaml *yaml)
{
	if (yaml)
		pool_free(yaml->owned);
}
