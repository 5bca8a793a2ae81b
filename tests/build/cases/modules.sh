# shellcheck shell=bash
# The modules build without a warning, by the compiler and by sparse, and the
# probes answer as they should.
# shellcheck disable=SC2016,SC2153 # scripts are for the shell there; TREE is of tests/build/run

modules_build_planted()
{
	build_checked "$1" "$2" 'make -C $KDIR M=/src $CHECKED module/counters.o'
	clean_log "$2/build.log" "$2"
}

# shellcheck disable=SC2086 # a list
ready $MODULE_KERNELS
kernel_scripts >/dev/null
new_sparse >/dev/null
for kernel in $MODULE_KERNELS; do
	tree=$(planted "modules-$kernel")
	check "modules/$kernel" modules_build "$kernel" "$tree"
	check "modules/$kernel-answers" modules_answers tests/build/answers.list "$kernel" "$tree"
	last=$tree

	tree=$(planted "modules-$kernel-planted")
	modules_plant "$tree"
	check "modules/$kernel-sees-warning" \
		sees 'counters.c:[0-9]+.*set but not used' modules_build_planted "$kernel" "$tree"
	check "modules/$kernel-sees-sparse" \
		sees 'counters.c:[0-9]+.*dereference of noderef' clean_log "$tree/build.log" "$tree"
done

grep -v 'CHECK.*hooks' "$last/build.log" >"$SCRATCH/unchecked.log"
check modules/sees-no-sparse sees 'sparse did not read hooks.c' clean_log "$SCRATCH/unchecked.log" "$last"
sed 's/\<yes\>/no/g' tests/build/answers.list >"$SCRATCH/answers.list"
check modules/sees-answer sees 'wanted: have.* no' modules_answers "$SCRATCH/answers.list" "$kernel" "$last"
