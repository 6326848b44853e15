"""Print the lecture course to a PDF: `python tests/data/make_lecture.py` (needs LibreOffice's `soffice` on PATH)."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from markdown_it import MarkdownIt

HERE = Path(__file__).parent
STYLE = """
@page { size: 148mm 210mm; margin: 18mm }
body { font-family: "Liberation Serif", serif; font-size: 13pt; line-height: 145% }
h1 { font-size: 19pt; page-break-before: always }
h2 { font-size: 15pt }
p { text-align: justify; margin: 0 0 3mm 0 }
table { border-collapse: collapse; font-size: 11pt }
td, th { border: 1px solid #444; padding: 1.5mm; text-align: left }
"""


def main() -> None:
    """Turn the Markdown beside this file into HTML, and that into a PDF, in a profile of its own."""
    body = MarkdownIt().enable("table").render((HERE / "ru_lecture.md").read_text("utf-8"))
    body = body.replace("<table>", '<table border="1" cellspacing="0">')
    page = f'<html lang="ru"><head><meta charset="utf-8"><style>{STYLE}</style></head><body>{body}</body></html>'
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "ru_lecture.html"
        source.write_text(page, "utf-8")
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to",
             "pdf:writer_web_pdf_Export", "--outdir", str(HERE), str(source)],
            check=True, timeout=120, capture_output=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
