/* SPDX-License-Identifier: MIT */
/*
 *	make-fleet DIR NODES SIZES EVENTS ONE_OF SEED
 *
 * writes a file of records for each made-up node: DIR/n00042.jsonl.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/record.h"
#include "../unit/made-fleet.h"
#include "store/store.h"

static bool write_node(const struct made *made, const char *folder,
		       unsigned node)
{
	char path[4096], name[16];
	bool good = true;
	FILE *out;

	made_name(name, node);
	snprintf(path, sizeof(path), "%s/%s.jsonl", folder, name);
	out = fopen(path, "w");
	if (!out)
		return false;
	for (unsigned i = 0; i < made->sizes && good; i++) {
		struct assay_record *r = made_record(made, node, i);

		good = r && !store_write(out, r, NULL);
		record_free(r);
	}
	fprintf(out, "{\"t\":\"rank\",\"node\":\"%s\",\"rank\":%u,\"job\":"
		"\"1\",\"measured\":\"yes\",\"why\":\"\",\"exit\":0}\n", name,
		node);
	return !fclose(out) && good;
}

int main(int argc, char **argv)
{
	struct made made = {
		.noise = 0.01, .slow = 0.05, .slow_sizes = 3,
	};

	if (argc != 7)
		return 2;
	made.nodes = (unsigned)atoi(argv[2]);
	made.sizes = (unsigned)atoi(argv[3]);
	made.events = (unsigned)atoi(argv[4]);
	made.one_of = (unsigned)atoi(argv[5]);
	made.seed = strtoull(argv[6], NULL, 10);
	for (unsigned i = 0; i < made.nodes; i++)
		if (!write_node(&made, argv[1], i)) {
			perror(argv[1]);
			return 1;
		}
	return 0;
}
