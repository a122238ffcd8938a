#!/usr/bin/env bash
# Installs the tools that a make target needs, if they are missing:
#
#   scripts/ensure.sh cargo|cc|c++|postgres|node|chromium|python|cluster|counters|pgbouncer|debootstrap …
#
# Missing tools are installed through apt, as root or with passwordless sudo. If neither is possible, one line says what
# to install. Never prompts.
set -euo pipefail
cd "$(dirname "$0")/.."

have() {
  case $1 in
    cargo) version_at_least "$(cargo --version 2>/dev/null)" 1.94 ;;
    cc | c++) command -v "$1" >/dev/null ;;
    postgres) scripts/postgres-bin.sh >/dev/null ;;
    node) version_at_least "$(node --version 2>/dev/null)" 18 && command -v npm >/dev/null ;;
    chromium)
      [ -x "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null ||
        [ -d "/Applications/Google Chrome.app" ]
      ;;
    # Debian packages venv separately.
    python) version_at_least "$(python3 --version 2>/dev/null)" 3.10 && python3 -c "import ensurepip, venv" 2>/dev/null ;;
    # HAProxy is in /usr/sbin, which is not on every user's PATH.
    cluster)
      (PATH="$PATH:/usr/sbin" && command -v patroni etcd haproxy nft | wc -l | grep -qx 4) &&
        /usr/bin/python3 -c "import etcd" 2>/dev/null
      ;;
    counters) command -v valgrind strace | wc -l | grep -qx 2 ;;
    pgbouncer | debootstrap) (PATH="$PATH:/usr/sbin" && command -v "$1" >/dev/null) ;;
    *) echo "$0 does not know $1" >&2 && exit 2 ;;
  esac
}

name_of() {
  case $1 in
    cargo) echo "Rust 1.94 or newer" ;;
    cc) echo "a C compiler" ;;
    c++) echo "a C++ compiler" ;;
    postgres) echo "PostgreSQL 15 or newer" ;;
    node) echo "Node.js 18 or newer with npm" ;;
    chromium) echo "Chromium" ;;
    python) echo "Python 3.10 or newer with venv" ;;
    cluster) echo "Patroni, etcd, HAProxy and nftables" ;;
    counters) echo "Valgrind and strace" ;;
    pgbouncer) echo "PgBouncer" ;;
    debootstrap) echo "debootstrap" ;;
  esac
}

apt_packages_of() {
  case $1 in
    cc) echo "gcc libc6-dev" ;;
    c++) echo "g++" ;;
    postgres) echo "postgresql" ;;
    node) echo "nodejs npm" ;;
    # Without a font pages have no visible text.
    chromium) echo "chromium fonts-liberation" ;;
    python) echo "python3 python3-venv" ;;
    cluster) echo "patroni python3-etcd etcd-server haproxy nftables" ;;
    counters) echo "valgrind strace" ;;
    pgbouncer | debootstrap) echo "$1" ;;
  esac
}

brew_packages_of() {
  case $1 in
    cc | c++) echo "gcc" ;;
    postgres) echo "postgresql@17" ;;
    node) echo "node" ;;
    chromium) echo "--cask google-chrome" ;;
    python) echo "python" ;;
    cluster) echo "etcd haproxy" ;;
    pgbouncer) echo "pgbouncer" ;;
  esac
}

# version_at_least "cargo 1.95.0 (…)" 1.94
version_at_least() {
  local is
  is=$(grep -oE '[0-9]+(\.[0-9]+)*' <<<"$1" | head -n 1) || return 1
  [ "$(printf '%s\n%s\n' "$2" "$is" | sort -V | head -n 1)" = "$2" ]
}

# Prevents packages from starting servers on their usual ports; ours are private.
install_with_apt() {
  local no_cluster=/etc/postgresql-common/createcluster.d/plan-advisor.conf policy=/usr/sbin/policy-rc.d
  # shellcheck disable=SC2016 # expanded by the inner shell
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 LC_ALL=C.UTF-8 bash -c '
    set -uo pipefail
    no_cluster=$1 policy=$2 && shift 2
    made=()
    trap "rm -f \"\${made[@]}\"" EXIT
    if ! [ -d /usr/share/postgresql-common ]; then
      mkdir -p "${no_cluster%/*}" && echo "create_main_cluster = false" >"$no_cluster"
      made+=("$no_cluster")
    fi
    if ! [ -e "$policy" ]; then
      printf "#!/bin/sh\nexit 101\n" >"$policy" && chmod 755 "$policy"
      made+=("$policy")
    fi
    apt-get -q -o DPkg::Lock::Timeout=300 update
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold install --no-install-recommends "$@"
  ' ensure "$no_cluster" "$policy" "$@" </dev/null
}

missing=() apt=() brew=()
for tool; do
  have "$tool" && continue
  missing+=("$tool")
  read -ra packages < <(apt_packages_of "$tool") && apt+=("${packages[@]}")
  read -ra packages < <(brew_packages_of "$tool") && brew+=("${packages[@]}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

names=$(for tool in "${missing[@]}"; do name_of "$tool"; done | paste -sd , - | sed 's/,/, /g')
case " ${missing[*]} " in
  # Distributions package older versions of Rust, so it is not installed automatically.
  *" cargo "*)
    echo "Missing: $(name_of cargo). Install it from https://rustup.rs and run this again." >&2
    exit 1
    ;;
esac

if [ "$(id -u)" = 0 ]; then
  as_root=()
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  as_root=(no)
fi

if ! command -v apt-get >/dev/null; then
  echo "Missing: $names. Install it, for example: brew install ${brew[*]}" >&2
  exit 1
elif [ "${as_root[*]}" = no ]; then
  echo "Missing: $names. Install it: sudo apt-get install ${apt[*]}" >&2
  exit 1
fi

echo "Installing $names (apt: ${apt[*]})"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! install_with_apt "${apt[@]}" >"$log" 2>&1; then
  tail -n 15 "$log" >&2
  echo "Missing: $names. Installing did not work (see above): sudo apt-get install ${apt[*]}" >&2
  exit 1
fi
hash -r
for tool in "${missing[@]}"; do
  if ! have "$tool"; then
    echo "Missing: $(name_of "$tool"). This system's packages ($(apt_packages_of "$tool")) do not provide it." >&2
    exit 1
  fi
done
