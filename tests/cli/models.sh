# docs/models.md and docs/latencies.md were made with the models that are in the CPU files now
for document in models latencies; do
	"$ASSAY_SOURCE/tools/$document" "$ASSAY" --stamp \
		"$ASSAY_SOURCE/docs/$document.md" && echo 'made with these models'
done
