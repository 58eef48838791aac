/* SPDX-License-Identifier: MIT */
/* libfyaml on first use: counting an event of the kernel reads no data file. */
#include <libfyaml.h>

#include "base/loading/load.h"

FORWARD_VOID(FYAML, fy_diag_cfg_default, (struct fy_diag_cfg *cfg), (cfg))
FORWARD(FYAML, struct fy_diag *, NULL, fy_diag_create,
	(const struct fy_diag_cfg *cfg), (cfg))
FORWARD_VOID(FYAML, fy_diag_destroy, (struct fy_diag *diag), (diag))
FORWARD(FYAML, struct fy_diag_error *, NULL, fy_diag_errors_iterate,
	(struct fy_diag *diag, void **at), (diag, at))
FORWARD(FYAML, bool, true, fy_diag_got_error, (struct fy_diag *diag),
	(diag))
FORWARD_VOID(FYAML, fy_diag_set_collect_errors,
	     (struct fy_diag *diag, bool collect), (diag, collect))
FORWARD(FYAML, struct fy_token *, NULL, fy_event_get_token,
	(struct fy_event *event), (event))
FORWARD(FYAML, struct fy_parser *, NULL, fy_parser_create,
	(const struct fy_parse_cfg *cfg), (cfg))
FORWARD_VOID(FYAML, fy_parser_destroy, (struct fy_parser *parser),
	     (parser))
FORWARD_VOID(FYAML, fy_parser_event_free,
	     (struct fy_parser *parser, struct fy_event *event),
	     (parser, event))
FORWARD(FYAML, bool, true, fy_parser_get_stream_error,
	(struct fy_parser *parser), (parser))
FORWARD(FYAML, struct fy_event *, NULL, fy_parser_parse,
	(struct fy_parser *parser), (parser))
FORWARD(FYAML, int, -1, fy_parser_set_string,
	(struct fy_parser *parser, const char *text, size_t bytes),
	(parser, text, bytes))
FORWARD(FYAML, const char *, NULL, fy_token_get_text,
	(struct fy_token *token, size_t *bytes), (token, bytes))
FORWARD(FYAML, const struct fy_mark *, NULL, fy_token_start_mark,
	(struct fy_token *token), (token))
