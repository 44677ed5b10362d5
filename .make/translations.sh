#!/bin/sh
# Bring the translations up to date with the sources of the window: texts (.ts) and what Qt loads (.qm). $1: the folder, $2: Python.
set -e
tools=$("$2" -c "import PySide6, pathlib; print(pathlib.Path(PySide6.__file__).parent)")
find app -name '*.py' | LC_ALL=C sort > "$1/sources.lst"
"$tools/lupdate" -silent -no-obsolete -locations none -tr-function-alias tr+=tr_noop "@$1/sources.lst" -ts "$1/loupe_zh_CN.ts"
rm "$1/sources.lst"
"$tools/lrelease" -silent "$1/loupe_zh_CN.ts" -qm "$1/loupe_zh_CN.qm"
