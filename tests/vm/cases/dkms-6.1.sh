# about: the same of Debian 12's kernel and its dkms
# kernel: 6.1
# dkms: yes
# timeout: 300

# shellcheck source=tests/vm/cases/dkms.sh
. /tree/tests/vm/cases/dkms.sh
