/* SPDX-License-Identifier: MIT */
/* Reading what a record says of noise: hostile input, as all of a record. */
#include "store/parse.h"

/* A share or its limit: a number from 0 on; *out stays if it is missing. */
static int share(const struct node *of, const char *name, double *out)
{
	const struct node n = node_member(of, name);

	if (!n.json)
		return 0;
	if (!json_is_number(n.json) || json_number_value(n.json) < 0)
		return node_wrong(&n, "a number that is not negative");
	*out = json_number_value(n.json);
	return 0;
}

static int noise_part(const struct node *of, const char *name,
		      struct assay_noise_part *out)
{
	const struct node n = node_member(of, name);
	int rc = n.json ? node_object(&n) : 0;

	*out = (struct assay_noise_part){ -1, 0 };
	if (!rc && n.json)
		rc = share(&n, "share", &out->share);
	return rc || !n.json ? rc : share(&n, "limit", &out->limit);
}

int parse_noise(struct assay_noise *out, const struct node *root)
{
	const struct node n = node_member(root, "noise");
	int rc = n.json ? node_object(&n) : 0;

	if (rc || !n.json)
		return rc;
	for (int k = 0; !rc && k < ASSAY_NOISE_KINDS; k++)
		rc = noise_part(&n, assay_noise_name((enum assay_noise_kind)k),
				&out->part[k]);
	if (!rc)
		rc = node_unsigned_member(&n, "preempted", UINT64_MAX,
				       &out->preempted);
	if (!rc)
		rc = node_unsigned_member(&n, "moved", UINT64_MAX, &out->moved);
	if (!rc)
		rc = node_unsigned_member(&n, "repeated", UINT64_MAX,
				       &out->repeated);
	out->disturbed = json_is_true(node_member(&n, "disturbed").json);
	out->seen = true;
	return rc;
}
