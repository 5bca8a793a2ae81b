# about: a module that leaves an object of its cache behind is a leak
# expect: leak
insmod /tree/tests/vm/selftest/svlag_leak.ko
check "the module is in" test -e /sys/module/svlag_leak
rmmod svlag_leak
check "the module is out" test ! -e /sys/module/svlag_leak
