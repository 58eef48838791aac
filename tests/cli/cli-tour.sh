# The main job: twelve sizes, published numbers beside simulated ones.
"$ASSAY" tour -x , -q -o tour.csv
head -n 1 tour.csv
sed 1d tour.csv | cut -d , -f 1-2,4
COLUMNS=100 "$ASSAY" tour -q >text
awk 'length > 100 { print "too wide: " $0 }' text
cat text
"$ASSAY" tour -j -q | grep -c '^{"t":"tour","elements":[0-9]*,"bytes":[0-9]*,'
