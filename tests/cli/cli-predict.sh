# Predictions run nothing and give their reasons.
"$ASSAY" run chase --elements 4096 --passes 10 --predict
"$ASSAY" run chase --elements 4096 --passes 10 --predict -j | head -n 2
"$ASSAY" run chase --elements 4096 --passes 10 --predict -j | grep -c '"term"'
