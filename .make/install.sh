#!/usr/bin/env bash
# Everything a fresh machine needs: a Python environment in .venv and, where we may, the system libraries of Qt.
# Usage: .make/install.sh [EXTRAS [thorough]]   (an extra of pyproject.toml; what the dear tests need too)
set -euo pipefail
cd "$(dirname "$0")/.."
extras="${1:-}"
stamp=".venv/installed-${extras:-run}"
debian_packages="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 fonts-dejavu-core"

find_python() {
  for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
    [ -n "$name" ] && command -v "$name" >/dev/null || continue
    "$name" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$name"; return; }
  done
  echo "Torch Loupe needs Python 3.11 or newer with its venv module, and found none." >&2
  echo "Install one (Debian: apt install python3 python3-venv; macOS: brew install python@3.12), or set PYTHON=/path/to/python." >&2
  exit 1
}

apt_install() {
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

as_root_on_debian() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# The shared page is tried in Chromium, by the dear tests in Firefox too; without them those tests are skipped. They come while
# packages are installed.
browsers=""
if [ "$extras" = test ] && as_root_on_debian; then
  command -v chromium >/dev/null || browsers="chromium"
  [ "${2:-}" != thorough ] || command -v firefox >/dev/null || browsers="$browsers firefox-esr"
fi
if [ -n "$browsers" ]; then
  echo "Installing what the shared page is tried in: $browsers"
  { apt_install -o Acquire::http::Timeout=20 -o Acquire::Retries=1 $browsers || echo "Not installed: their tests are skipped" >&2; } &
fi

if [ ! -x .venv/bin/python ]; then
  python="$(find_python)"
  echo "Making .venv with $("$python" --version)"
  "$python" -m venv .venv
fi

if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ] || [ constraints.txt -nt "$stamp" ]; then
  echo "Installing into .venv (the first time takes a few minutes)"
  # Of 9,600 modules a third is ever loaded: compiled are those, which takes a minute less than compiling all of them.
  .venv/bin/python .make/install_packages.py -c constraints.txt -e ".${extras:+[$extras]}"
  unset PYTHONDONTWRITEBYTECODE
  .venv/bin/python -W ignore -c 'import torch._dynamo, torch._inductor.compile_fx, compiler.worker.handlers' &
  # Ours and the tests too, once: each of the processes that run the tests would compile all of them
  [ -z "$extras" ] || { .venv/bin/python -m compileall -q app compiler; .venv/bin/python .make/compile_tests.py; } || true
  wait $! || true
  touch "$stamp"
fi

wait # apt works for one at a time

# a name that nobody can foresee: /tmp is everybody's
qt_says="$(mktemp)"
trap 'rm -f "$qt_says"' EXIT
if ! QT_QPA_PLATFORM=offscreen env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -c 'from PySide6.QtWidgets import QApplication; QApplication([])' 2>"$qt_says"; then
  if as_root_on_debian; then
    echo "Installing the system libraries that Qt needs"
    apt_install $debian_packages
  else
    echo "Qt cannot start: $(tail -n 1 "$qt_says")" >&2
    echo "Install its system libraries, on Debian and Ubuntu: sudo apt install $debian_packages" >&2
    exit 1
  fi
fi

if ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then
  if as_root_on_debian; then
    echo "Installing g++, which Inductor builds CPU kernels with"
    apt_install g++
  else
    echo "No C++ compiler: Inductor builds CPU kernels with g++ or clang. Debian: sudo apt install g++; macOS: xcode-select --install" >&2
    exit 1
  fi
fi
