# about: a kernel that crashes is a crash, though every check was ok
# expect: crash
check "the guest is up" true
echo c >/proc/sysrq-trigger
