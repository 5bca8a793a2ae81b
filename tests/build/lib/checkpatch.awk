# Reads checkpatch.list, then what "checkpatch.pl --terse --show-types" said, and
# prints what the list does not allow.

FNR == NR {
	sub(/#.*/, "")
	if (NF) {
		line[++lines] = $1 " " $2
		gsub(/[.]/, "[.]", $1)
		sub(/[*]/, ".*", $1)
		glob[lines] = "^" $1 "$"
		type[lines] = $2
	}
	next
}

$1 == "total:" { next }

{
	split($1, at, ":")
	split($2, kind, ":")
	for (i = 1; i <= lines; i++)
		if (at[1] ~ glob[i] && kind[2] == type[i]) {
			used[i] = 1
			next
		}
	print
}

END {
	for (i = 1; i <= lines; i++)
		if (!used[i])
			print "tests/build/checkpatch.list: nothing to allow any more: " line[i]
}
