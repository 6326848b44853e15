"""LibreOffice as a program on this machine, used in an extractor's child: each conversion has a profile of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from core.adapters.extractor_child import die_with_parent
from core.ingest.cascade import ExtractionFailed
from core.model.source import SourceKind

ENDINGS = {
    SourceKind.DOCX: "docx",
    SourceKind.PPTX: "pptx",
    SourceKind.XLSX: "xlsx",
    SourceKind.ODT: "odt",
    SourceKind.ODP: "odp",
    SourceKind.ODS: "ods",
    SourceKind.DOC: "doc",
    SourceKind.PPT: "ppt",
    SourceKind.XLS: "xls",
    SourceKind.RTF: "rtf",
    SourceKind.FB2: "fb2",
}
"""What LibreOffice reads, and the name endings by which it chooses a filter."""

_FLAGS = ("--headless", "--norestore", "--nologo", "--nolockcheck", "--nodefault", "--nofirststartwizard")

_SETTINGS: tuple[tuple[str, str, str], ...] = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),  # no picture from elsewhere
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Office.Calc/Content/Update", "Link", "1"),
    # What still asks the network (WEBSERVICE, a template, a linked picture) is sent to a proxy that nobody runs.
    ("Inet/Settings", "ooInetProxyType", "2"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
    ("Inet/Settings", "ooInetNoProxy", ""),
)
# Node, property, value: macros and links are off, and the network is out of reach.


def soffice_lack() -> str:
    """Say "" where the program is on PATH, `not-installed` elsewhere."""
    return "" if shutil.which("soffice") else "not-installed"


def converted(path: str, kind: SourceKind, target: str, *, timeout_s: float) -> Path:
    """Convert a file and return the new one, which lies in the temporary folder of this attempt.

    LibreOffice stays in this process's group: whoever kills the group kills it too.

    Args:
        path: The file; its own name is of no importance.
        kind: One of `ENDINGS`.
        target: Ending of the new file: `pdf`, `docx`, `pptx`, `xlsx`.
        timeout_s: After so long LibreOffice is ended.

    Raises:
        ExtractionFailed: `soffice-…`: it did not start, did not end, or wrote nothing.
    """
    folder = Path(tempfile.mkdtemp(prefix="soffice-"))
    source = folder / f"document.{_ending(path, kind)}"
    source.symlink_to(Path(path).resolve())
    command = ["soffice", f"-env:UserInstallation={_profile(folder)}", *_FLAGS]
    command += ["--convert-to", target, "--outdir", str(folder / "out"), str(source)]
    parent = os.getpid()
    try:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=True,
            env=os.environ | {"HOME": str(folder)},
            preexec_fn=lambda: die_with_parent(parent),  # safe: this process has no other thread that matters
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ExtractionFailed("extraction-failed", {"code": f"soffice-{type(error).__name__}"}) from error
    made = folder / "out" / f"document.{target}"
    if not made.is_file() or not made.stat().st_size:
        raise ExtractionFailed("extraction-failed", {"code": "soffice-wrote-nothing"})
    return made


def _ending(path: str, kind: SourceKind) -> str:
    with open(path, "rb") as file:
        packed = file.read(2) == b"PK"
    return "xlsb" if kind is SourceKind.XLS and packed else ENDINGS[kind]


def _profile(folder: Path) -> str:
    """Write a profile that holds nothing but our settings, and return its address."""
    items = "".join(
        f'<item oor:path="/org.openoffice.{node}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop>'
        "</item>"
        for node, name, value in _SETTINGS
    )
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        f'xmlns:xs="http://www.w3.org/2001/XMLSchema">{items}</oor:items>',
        "utf-8",
    )
    return (folder / "profile").as_uri()
