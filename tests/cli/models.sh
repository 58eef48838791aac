# docs/models.md was made with the models that are in the CPU files now
"$ASSAY_SOURCE/tools/models" "$ASSAY" --stamp "$ASSAY_SOURCE/docs/models.md" &&
	echo 'made with these models'
