/* SPDX-License-Identifier: MIT */
/* Adds up a matrix, by rows or, with -DCOLUMNS, by columns. */
enum { N = 512 };

static int matrix[N][N];

static void fill(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			matrix[i][j] = i ^ j;
}

static long add(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
#ifdef COLUMNS
			sum += matrix[j][i];
#else
			sum += matrix[i][j];
#endif
	return sum;
}

int main(void)
{
	fill();
	return add() == 0;
}
