# about: a guest that hangs after its verdict is a hang, though the verdict is passed
# expect: hang
# timeout: 30
check "the guest is up" true
trap - EXIT
echo "verdict: passed, 1 checks"
sleep 1000
