/* SPDX-License-Identifier: MIT */
/*
 * Where the files are that assay needs while it runs and that are not compiled
 * in. No other code searches for these files.
 */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

#include <stddef.h>

#include "assay/error.h"

enum installed {
	INSTALLED_PLUGIN,	/* the plugin for QEMU, a file */
	INSTALLED_BARE,		/* the sources of the image, a folder */
};

/*
 * In $ASSAY_LIBDIR (the plugin) or $ASSAY_DATADIR (the sources), if that
 * variable is set. Else the first that is there: in the build folder or in the
 * moved installation of the running executable, in the prefix of the build.
 * Returns 0; -ASSAY_EUNAVAIL if the file cannot be read.
 */
int installed_find(char *out, size_t room, enum installed what,
		   struct assay_error *err);

/*
 * The path of a file of this user: assay/NAME in $XDG_DATA_HOME, else in
 * ~/.local/share. Returns 0; -ASSAY_ENOENT, with `option` as the advice: neither
 * variable is an absolute path, or the path is too long. what: "a database".
 */
int user_file(char *out, size_t room, const char *name, const char *what,
	      const char *option, struct assay_error *err);

#endif
