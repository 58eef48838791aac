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
# what published loops count is data: another number, a name that is none
other() {
	mkdir -p mine/recipes
	sed "$1" "$ASSAY_SOURCE/data/recipes/a72-data-access.yaml" \
		>mine/recipes/a72-data-access.yaml
	"$ASSAY" verify --data mine --on "replay:$2" -q -j |
		grep -E '"(event|from)":"INST_RETIRED"' |
		grep -o '"\(t\|verdict\|explains\)":"[^"]*"' || true
}
echo '* loops of other recipes'
other 's/38 [*] n/39 * n/' a72-matmul
other 's/(11 + ones)/(12 + ones)/' a72-branch
other 's/(11 + ones)/(11 + onse)/' a72-branch
other 's/because: 11.*//' a72-branch
other 's/38 [*] n/38 * * n/' a72-matmul
other 's/quantity: mispredicts/quantity: mispredict/' a72-branch
other 's/bounds: 6 standard.*//' a72-branch
