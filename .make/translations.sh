#!/bin/sh
# Bring the translations up to date with the sources of the window: texts (.ts) and what Qt loads (.qm). $1: the folder, $2: Python.
# English needs only the texts that have a singular and a plural.
set -e
tools=$("$2" -c "import PySide6, pathlib; print(pathlib.Path(PySide6.__file__).parent)")
find app -name '*.py' | LC_ALL=C sort > "$1/sources.lst"
for language in zh_CN en; do
    plural=
    [ $language = en ] && plural=-pluralonly
    "$tools/lupdate" -silent -no-obsolete -locations none -tr-function-alias tr+=tr_noop $plural "@$1/sources.lst" -ts "$1/loupe_$language.ts"
    "$tools/lrelease" -silent "$1/loupe_$language.ts" -qm "$1/loupe_$language.qm"
done
rm "$1/sources.lst"
