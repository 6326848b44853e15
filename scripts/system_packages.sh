#!/usr/bin/env bash
# The programs that Konspekt uses and no Python package brings (Debian and Ubuntu).
#
#   system_packages.sh           as root: installs what is missing; otherwise prints the one command and fails
#   system_packages.sh --check   lists what is missing and what will not work without it; fails if anything is
#
# `make run` only lists; `make test` and CI need everything.
set -euo pipefail

office() { local program; program=$(command -v soffice) && [ -e "$(dirname "$(readlink -f "$program")")/$1" ]; }
browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
language() { command -v tesseract && tesseract --list-langs 2>/dev/null | grep -x "$1"; }
font() { find /usr/share/fonts "${HOME:-/nonexistent}/.fonts" -iname "$1" -print -quit 2>/dev/null | grep .; }

# package | how to see that it is there | what does not work without it
needs() {
    cat <<'TABLE'
libreoffice-writer-nogui|office libswlo.so|DOC, RTF and other old text documents
libreoffice-calc-nogui|office libsclo.so|XLS and other old spreadsheets
libreoffice-impress-nogui|office libsdlo.so|PPT and other old presentations
tesseract-ocr|language eng|text in scans and photos
tesseract-ocr-rus|language rus|Russian text in scans and photos
djvulibre-bin|command -v ddjvu|DJVU books
ffmpeg|command -v ffmpeg|voice, audio and video
openssl|command -v openssl|the tests of links and videos
chromium|browser|web pages that are drawn by scripts, and the tests of the chat page
fonts-dejavu|font 'DejaVuSans.ttf'|documents that LibreOffice draws
fonts-liberation|font 'LiberationSans-Regular.ttf'|documents that LibreOffice draws
TABLE
}

missing() {
    local package probe purpose
    while IFS='|' read -r package probe purpose; do
        eval "$probe" >/dev/null 2>&1 || echo "$package|$purpose"
    done < <(needs)
}

list() {
    echo "Missing system packages, and what does not work without them:"
    awk -F '|' '{printf "  %-26s %s\n", $1, $2}' <<<"$1"
    echo "To install them: ${2}apt-get install --no-install-recommends $(cut -d '|' -f 1 <<<"$1" | tr '\n' ' ')"
}

install() {
    local packages
    mapfile -t packages < <(cut -d '|' -f 1 <<<"$1")
    export DEBIAN_FRONTEND=noninteractive
    echo "Installing ${packages[*]}"
    apt-get -o Acquire::Retries=3 -qq update
    apt-get -o Acquire::Retries=3 -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${packages[@]}" >/dev/null
}

found=$(missing)
[ -n "$found" ] || exit 0
sudo=$([ "$(id -u)" = 0 ] || echo "sudo ")
if [ "${1:-}" = --check ] || [ -n "$sudo" ] || ! command -v apt-get >/dev/null; then
    list "$found" "$sudo" >&2
    exit 1
fi
install "$found"
found=$(missing)
[ -z "$found" ] || { list "$found" "" >&2; exit 1; }
