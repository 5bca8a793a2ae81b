# about: a check that fails makes the case fail, though later ones are ok
# expect: failed
check_eq "one is two" 1 2
check "the guest is up" true
