"$ASSAY" --version
"$ASSAY" --version extra >/dev/null 2>&1
echo "status $?"
