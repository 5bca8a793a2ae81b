# about: a guest that never ends is a hang, though every check was ok
# expect: hang
# timeout: 30
check "the guest is up" true
sleep 1000
