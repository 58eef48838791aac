# The main job: twelve sizes, published numbers beside simulated ranges.
"$ASSAY" tour -x , -q -o tour.csv
head -n 1 tour.csv
sed 1d tour.csv | cut -d , -f 1-2,4,13-22
for columns in 80 160; do
	COLUMNS=$columns "$ASSAY" tour -q >text
	awk -v most=$columns 'length > most { print "too wide: " $0 }' text
	[ "$(wc -l <text)" -le 40 ] || echo 'more than a screen'
	cat text
done
"$ASSAY" tour -v -q | sed -n '/^per access/,/^next/p'
"$ASSAY" tour -j -q | grep -c '^{"t":"tour","elements":[0-9]*,"bytes":[0-9]*,'
