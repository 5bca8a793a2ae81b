# Reads rooms.list, then "FILE" lines (every C file of the tree) and "FILE TARGET"
# lines (its includes, TARGET resolved); prints what runs against the list.

function pattern(glob)
{
	gsub(/[.]/, "[.]", glob)
	gsub(/[*][*]/, "\001", glob)
	gsub(/[*]/, "[^/]*", glob)
	gsub(/\001/, ".*", glob)
	return "^" glob "$"
}

# The number of the file's room; 0: none.
function room_of(file,	i)
{
	if (!(file in known))
		for (i = known[file] = 0; i < globs; i++)
			if (file ~ glob[i]) {
				known[file] = room[i]
				used[room[i]] = 1
				break
			}
	return known[file]
}

BEGIN { globs = 0 }

FNR == NR {
	sub(/#.*/, "")
	if ($1 == "part") {
		part = $2
		for (i = 4; i <= NF; i++)
			sees[part, $i] = 1
	} else if (NF) {
		name[++rooms] = $1
		part_of[rooms] = part
		for (i = 2; i <= NF; i++) {
			room[globs] = rooms
			glob[globs++] = pattern($i)
		}
	}
	next
}

NF == 1 && !room_of($1) { print $1 " is in no room: give it one in tests/build/rooms.list" }

NF == 2 {
	from = room_of($1)
	to = room_of($2)
	if (!from || !to || from == to)
		next
	if (part_of[from] == part_of[to]) {
		if (from < to)
			print $1 " includes " $2 ", but the room " name[from] " stands before " name[to]
	} else if (!((part_of[from], part_of[to]) in sees)) {
		print $1 " includes " $2 ", but " part_of[from] "/ must not see " part_of[to] "/"
	}
}

END {
	for (i = 1; i <= rooms; i++)
		if (!used[i])
			print "tests/build/rooms.list: there is no file in the room " part_of[i] " " name[i]
}
