# about: a warning on the console is red, though the verdict is passed
# expect: warn
check "the guest is up" true
echo "WARNING: this is a test" >/dev/kmsg
