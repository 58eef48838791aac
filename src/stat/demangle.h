/* SPDX-License-Identifier: MIT */
/* Names of C++ and Rust as their sources have them. Private to symbols. */
#ifndef STAT_DEMANGLE_H
#define STAT_DEMANGLE_H

/* __cxa_demangle() of libstdc++. The caller frees the result. NULL: not a name
 * of C++, or there is no libstdc++. */
char *demangle_cxx(const char *name);
/* A name that begins with "_R", of Rust's scheme v0. The caller frees the
 * result. NULL: not such a name, or no memory. */
char *demangle_rust(const char *name);

#endif
