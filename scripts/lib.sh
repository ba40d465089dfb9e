# Shared by the scripts; sourced, and leaves them in the top folder of the checkout.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }

# install_packages GROUP…: what packages.txt lists for these groups. No call of apt when it is all
# there.
install_packages() {
  local wanted installed package missing=() as_root=()
  wanted=$(awk -v groups=" $* " 'index(groups, " " $1 " ") { print $2 }' scripts/packages.txt)
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null) || true
  for package in $wanted; do
    grep -qx "installed $package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  say "Installing ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      say "Needs root or sudo. Install these packages, then call again."
      return 1
    }
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${as_root[@]}" update </dev/null >/dev/null ||
    say "apt-get update failed; trying with the lists at hand"
  "${as_root[@]}" install --no-install-recommends "${missing[@]}" </dev/null >/dev/null
}

# configure PRESET [CMAKE OPTIONS…]
configure() {
  cmake --preset "$@" --log-level=WARNING >&2
}

# build PRESET [TARGETS…]
build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"} >&2
}

# build_for_tests PRESET: the tests and all they need, also when `demo` left them out earlier.
build_for_tests() {
  install_packages build test bench
  configure "$1"
  build "$1"
}

# our_files PATTERN…: the files of ours that match, new ones too, as paths from the top folder.
our_files() {
  git -c safe.directory='*' ls-files --cached --others --exclude-standard "$@"
}

# unrandomised COMMAND…: runs it at fixed addresses if the machine allows that. g++ 12's sanitizers
# fail to start now and then where the kernel randomises more bits than Debian 12's.
unrandomised() {
  if setarch --addr-no-randomize true 2>/dev/null; then
    setarch --addr-no-randomize "$@"
  else
    "$@"
  fi
}
