/* SPDX-License-Identifier: MIT */
/* Taking away what a test has made. */
#define _GNU_SOURCE	/* nftw */
#include "remove-tree.h"

#include <ftw.h>
#include <stdio.h>

static int forget(const char *path, const struct stat *st, int flag,
		  struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

int remove_tree(const char *path)
{
	return nftw(path, forget, 16, FTW_DEPTH | FTW_PHYS);
}
