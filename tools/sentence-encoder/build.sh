#!/bin/sh
# Builds the sentence encoder's asset from packages, by name: ./build.sh [WORK_FOLDER]
# Needs Debian's apt-get and dpkg-deb, Python 3.11 and about 5 CPU minutes; a stopped run goes on where it was.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$here/build}
mkdir -p "$work/packages" "$work/download" "$work/cache"
work=$(cd "$work" && pwd)
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q -r "$here/requirements.txt"

# Fetches package $2 with command $1 into a folder of its own, and unpacks it.
fetch() {
    [ -d "$work/packages/$2" ] && return
    rm -rf "$work/download/$2" "$work/packages/$2.part"
    mkdir -p "$work/download/$2" "$work/packages/$2.part"
    (cd "$work/download/$2" && $1 "$2")
    for file in "$work/download/$2"/*; do
        case $file in
            *.whl) "$work/venv/bin/python" -m zipfile -e "$file" "$work/packages/$2.part" ;;
            *.deb) dpkg-deb -x "$file" "$work/packages/$2.part" ;;
            *) tar -xf "$file" -C "$work/packages/$2.part" ;;
        esac
    done
    mv "$work/packages/$2.part" "$work/packages/$2"
}

while read -r name; do fetch "$work/venv/bin/pip download -q --no-deps" "$name"; done < "$here/python-packages.txt"
while read -r name; do fetch "apt-get download -q" "$name"; done < "$here/../static-model/debian-packages.txt"

# One thread, so that sums are added in the same order each time.
cd "$here"
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
    "$work/venv/bin/python" build.py "$work/packages" "$work/cache" "$here/../../crates/models/assets/encoder.bin"
