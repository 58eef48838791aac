# What verify finds in published counts, unaided.
echo '* a72-branch'
"$ASSAY" verify --on replay:a72-branch -q
echo "-> $?"
for name in a72-chase a72-matmul k10-sample; do
	echo "* $name"
	"$ASSAY" verify --on "replay:$name" -q -j >rows
	echo "-> $?"
	grep -E '"t":"(event|identity|formula)"' rows |
		grep -v 'nothing is claimed' |
		grep -o '"\(event\|formula\|verdict\|explains\|law\|because of\)":"[^"]*"'
done
