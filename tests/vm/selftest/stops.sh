# about: a case that ends early fails, though all it checked was ok
# expect: failed
check "the guest is up" true
false
check "this is reached" true
