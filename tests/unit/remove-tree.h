/* SPDX-License-Identifier: MIT */
/* Taking away what a test has made. */
#ifndef TESTS_REMOVE_TREE_H
#define TESTS_REMOVE_TREE_H

/* A folder and all in it; follows no link. Returns 0 or -1. */
int remove_tree(const char *path);

#endif
