/* SPDX-License-Identifier: MIT */
/* Handing a verdict out, with its class and its sentences. */
#include "analysis/judge/parts.h"

int judge_give(struct judge_verdict *v, const struct judge_sink *sink)
{
	struct judge_words text = { .used = 0 }, next = { .used = 0 };

	v->class_ = judge_decide(&v->facts);
	v->sure = judge_surety(&v->facts, v->class_);
	if (!v->text) {
		judge_sentence(&text, v);
		judge_next(&next, v);
		v->text = text.text;
		v->next = next.text;
	}
	return sink->verdict(sink->ctx, v) ? -ASSAY_ESTOP : 0;
}
