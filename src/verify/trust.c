/* SPDX-License-Identifier: MIT */
/* An event's verdict in the newest fitting certificate. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verify/certificate.h"
#include "base/loading/library.h"
#include "base/text.h"

struct assay_trust {
	struct certificate certificate;
	bool found;
	char path[4096];
	char about[768];
};

static const char *const mark_names[] = {
	[ASSAY_MARK_UNKNOWN] = "unknown", [ASSAY_MARK_VERIFIED] = "verified",
	[ASSAY_MARK_WRONG] = "wrong",
};

const char *assay_mark_name(enum assay_mark mark)
{
	return (unsigned)mark <= ASSAY_MARK_WRONG ? mark_names[mark] : "?";
}

/* ", but it is for microcode X, and this one has Y": appends a mismatch. */
static void add_change(char *out, size_t room, const char *what,
			const char *have, const char *want)
{
	if (strcmp(have, want))
		text_add(out, room, "; ", "%s %s, and this is %s", what,
			 *have ? have : "(not known)",
			 *want ? want : "(not known)");
}

static void describe(struct assay_trust *t,
		     const struct certificate_machine *want,
		     unsigned unreadable)
{
	const struct certificate_machine *have = &t->certificate.machine;
	char change[300] = "", broken[120] = "";

	if (unreadable && !library_is_here(LIBRARY_JANSSON))
		snprintf(broken, sizeof(broken), "; %u files there are not "
			 "read %s", unreadable,
			 libraries[LIBRARY_JANSSON].brief);
	else if (unreadable)
		snprintf(broken, sizeof(broken),
			 "; %u files there are no certificates", unreadable);
	if (!t->found) {
		snprintf(t->about, sizeof(t->about), "no certificate for "
			 "%s: 'assay verify --save' makes one%s",
			 want->cpu[0] ? want->cpu : "this CPU", broken);
		return;
	}
	add_change(change, sizeof(change), "microcode", have->microcode,
		    want->microcode);
	add_change(change, sizeof(change), "stepping", have->stepping,
		    want->stepping);
	add_change(change, sizeof(change), "kernel", have->kernel,
		    want->kernel);
	text_add(t->about, sizeof(t->about), "", "certificate of %.10s for "
		 "%s%s%s%s%s", t->certificate.created, have->cpu,
		 change[0] ? ", but it is for " : "", change,
		 t->certificate.old ? "; its form is an old one: 'assay verify "
		 "--save' renews it" : "", broken);
}

int assay_trust_open(struct assay_trust **out, struct assay *assay,
		     const char *on, struct assay_error *err)
{
	struct assay_trust *t = calloc(1, sizeof(*t));
	struct certificate_machine want = { .cpu = "" };
	unsigned unreadable = 0;

	if (!t)
		return error_memory(err);
	/* without certificates the machine need not be identified exactly */
	if (!on && !certificate_kept(assay))
		text_copy(want.cpu, sizeof(want.cpu), assay->machine.cpu);
	else if (certificate_machine(&want, assay, on, NULL) == 0)
		t->found = certificate_find(&t->certificate, t->path,
					    sizeof(t->path), assay, &want,
					    &unreadable);
	describe(t, &want, unreadable);
	*out = t;
	return 0;
}

void assay_trust_close(struct assay_trust *trust)
{
	if (trust)
		certificate_fini(&trust->certificate);
	free(trust);
}

/* "L1D_CACHE:u" is L1D_CACHE where no event is called so itself. */
static bool same_event(const struct certificate_event *e, const char *name)
{
	const char *colon = strrchr(name, ':');
	size_t n;

	if (text_equal(e->event, name) || (e->code[0] &&
					   text_equal(e->code, name)))
		return true;
	if (!colon || strspn(colon + 1, "ukhp") != strlen(colon + 1))
		return false;
	n = (size_t)(colon - name);
	return strlen(e->event) == n && strncasecmp(e->event, name, n) == 0;
}

void assay_trust_of(const struct assay_trust *trust, const char *event,
		    struct assay_trusted *out)
{
	static const enum assay_mark marks[] = {
		ASSAY_MARK_UNKNOWN, ASSAY_MARK_WRONG, ASSAY_MARK_VERIFIED,
	};
	const struct certificate *c = &trust->certificate;

	*out = (struct assay_trusted){ .class_ = ASSAY_CLASS_UNAVAILABLE };
	text_copy(out->sentence, sizeof(out->sentence), trust->found ?
		  "the certificate does not judge this event" : trust->about);
	for (size_t i = 0; i < c->events; i++) {
		const struct certificate_event *e = &c->event[i];

		if (!same_event(e, event))
			continue;
		out->class_ = e->class_;
		out->mark = marks[1 + assay_class_trust(e->class_)];
		snprintf(out->sentence, sizeof(out->sentence), "%s%s%s",
			 assay_class_name(e->class_), e->explains[0] ? ": " :
			 "", e->explains);
		return;
	}
}

const char *assay_trust_about(const struct assay_trust *trust)
{
	return trust->about;
}

const char *assay_trust_path(const struct assay_trust *trust)
{
	return trust->found ? trust->path : NULL;
}
