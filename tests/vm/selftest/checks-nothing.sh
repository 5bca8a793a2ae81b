# about: a case without a check fails
# expect: failed
note "nothing to see"
