#!/usr/bin/env bash
# Tests in a temporary minimal Debian that scripts/ensure.sh installs missing tools as root and as a user with sudo, that
# a user without sudo gets one line and no prompt, and that the test database starts.
#
#   scripts/prove-clean-machine.sh CHECKOUT [FOLDER]
#
# Needs root, debootstrap and a Debian mirror (MIRROR, else the default). FOLDER (default: a new one below /var/tmp) is
# kept if it is given. With RUST=1 the Rust toolchain of this machine is mounted, and `make test` runs there too, as the
# user with sudo.
set -euo pipefail

checkout=$(cd "$1" && pwd)
keep=${2:-}
root=${keep:-$(mktemp -d /var/tmp/plan-advisor-clean.XXXXXX)}
suite=${SUITE:-bookworm}

mounts() { awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r; }
clean_up() {
  mounts | while read -r mount; do umount "$mount" 2>/dev/null || umount --lazy "$mount"; done
  # Never delete through a remaining mount: /dev and the toolchain belong to this machine.
  if [ -z "$keep" ] && [ -z "$(mounts)" ]; then
    rm -rf --one-file-system "$root"
  fi
}
trap clean_up EXIT

if ! [ -f "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase "$suite" "$root" ${MIRROR:+"$MIRROR"}
fi
# Users other than root must be able to enter the root folder.
chmod 755 "$root"
mount -t proc proc "$root/proc"
mount -t devtmpfs dev "$root/dev" 2>/dev/null || mount --bind /dev "$root/dev"
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"

# Node.js has its own list of certificate authorities.
inside() { chroot "$root" /usr/bin/env -i NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
as() {
  local user=$1
  shift
  inside setpriv "--reuid=$user" "--regid=$user" --init-groups env "HOME=/home/$user" "PATH=$user_path" bash -c "cd /home/$user/plan-advisor && $*" </dev/null
}
# Back to how a minimal Debian is, so that each account begins with nothing.
forget_packages() {
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge 'postgresql*' nodejs npm 'chromium*' gcc make >/dev/null 2>&1 || true
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y autoremove --purge >/dev/null 2>&1
}
title() { printf '\n=== %s\n' "$*"; }
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

user_path=/usr/local/bin:/usr/bin:/bin
inside apt-get -qq update
inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends sudo ca-certificates >/dev/null
# Where a company's proxy signs connections, the new machine must trust it as this one does.
mkdir -p "$root/usr/local/share/ca-certificates"
cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
inside update-ca-certificates >/dev/null 2>&1
for user in sudoer plain; do
  inside id "$user" >/dev/null 2>&1 || inside useradd --create-home --shell /bin/bash "$user"
  rm -rf "$root/home/$user/plan-advisor"
  mkdir "$root/home/$user/plan-advisor"
  tar -C "$checkout" --exclude=./target --exclude=./.git --exclude=node_modules --exclude=./.plan-advisor -c . |
    tar -x --no-same-owner -C "$root/home/$user/plan-advisor"
  inside chown -R "$user:$user" "/home/$user"
done
echo 'sudoer ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/sudoer"

title "a user without sudo: one line, no prompt, nothing installed"
forget_packages
for tool in postgres python node chromium cc c++; do
  if said=$(as plain "scripts/ensure.sh $tool" 2>&1); then fail "nothing was missing for $tool"; fi
  echo "$said"
  [[ $said == Missing:* && $said != *$'\n'* ]] || fail "not the one line: $said"
done

for user in root sudoer; do
  title "$user: everything that is missing is installed"
  forget_packages
  ensure="scripts/ensure.sh cc c++ postgres python node chromium"
  query="scripts/with-test-postgres.sh sh -c 'psql \"\$TEST_DATABASE_URL\" -Atc \"select version()\"' </dev/null"
  if [ "$user" = root ]; then
    inside bash -c "cd /home/sudoer/plan-advisor && $ensure && $query"
  else
    as sudoer "$ensure && $query && scripts/with-node.sh node --version"
  fi
  inside sh -c 'cc --version | head -n 1; chromium --version'
  [ -z "$(ls "$root/var/lib/postgresql" 2>/dev/null)" ] || fail "a system-wide database was made"
done

title "a user without sudo, with everything installed"
as plain "scripts/ensure.sh cc c++ postgres python node chromium && scripts/with-test-postgres.sh sh -c 'psql \"\$TEST_DATABASE_URL\" -Atc \"select 1\"'"

if [ "${RUST:-0}" = 1 ]; then
  title "make test, as the user with sudo"
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends make >/dev/null
  toolchain=$(rustc --print sysroot)
  mkdir -p "$root/opt/rust" && mount --bind -o ro "$toolchain" "$root/opt/rust"
  user_path=/opt/rust/bin:$user_path
  as sudoer "make test"
fi

title "proved: root, a user with sudo, a user without"
