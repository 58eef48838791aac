/* SPDX-License-Identifier: MIT */
/*
 * LAPACKE on first use: it brings LAPACK, BLAS and the Fortran library, and
 * only deriving formulas solves with them.
 */
#include <lapacke.h>

#include "base/loading/load.h"

FORWARD(LAPACKE, lapack_int, -1, LAPACKE_dgels,
	(int layout, char trans, lapack_int m, lapack_int n, lapack_int nrhs,
	 double *a, lapack_int lda, double *b, lapack_int ldb),
	(layout, trans, m, n, nrhs, a, lda, b, ldb))
FORWARD(LAPACKE, lapack_int, -1, LAPACKE_dgeqp3,
	(int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
	 lapack_int *jpvt, double *tau),
	(layout, m, n, a, lda, jpvt, tau))
FORWARD(LAPACKE, lapack_int, -1, LAPACKE_dorgqr,
	(int layout, lapack_int m, lapack_int n, lapack_int k, double *a,
	 lapack_int lda, const double *tau),
	(layout, m, n, k, a, lda, tau))
FORWARD(LAPACKE, lapack_int, -1, LAPACKE_dpotrf,
	(int layout, char uplo, lapack_int n, double *a, lapack_int lda),
	(layout, uplo, n, a, lda))
FORWARD(LAPACKE, lapack_int, -1, LAPACKE_dpotri,
	(int layout, char uplo, lapack_int n, double *a, lapack_int lda),
	(layout, uplo, n, a, lda))
