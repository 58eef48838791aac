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

#endif
