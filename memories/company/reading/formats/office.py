"""Word and PowerPoint files to Markdown; and what must hold of every Office file before a library opens it. Pure.

An Office file is a zip of XML parts. All parts are read here once, with their real bytes counted, so that the libraries
behind never meet a bomb, an entity or a broken part.
"""

import io
import re
import warnings
import zipfile
import zlib

from defusedxml import ElementTree
from django.conf import settings
from markitdown import StreamInfo
from markitdown.converters import DocxConverter, PptxConverter

from memories.company.reading.formats.decoding import clean
from memories.company.reading.formats.page import Page, moment
from memories.errors import Unreadable

_KINDS = {
    "word/document.xml": "a Word document (.docx)",
    "ppt/presentation.xml": "a PowerPoint presentation (.pptx)",
    "xl/workbook.xml": "an Excel workbook (.xlsx)",
}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# Parsed as a whole, unlike sheets; a thousand pages of Word are about 15 MB of XML.
_MAX_PART = 64 * 1024 * 1024
_MAX_PARTS = 10_000
# Below this no ratio is dangerous, and a small file of one repeated character is no attack.
HARMLESS = 1024 * 1024
_CHUNK = 256 * 1024
_CHARSETS = ("utf-8", "utf-16-le", "utf-16-be")
_DECLARATIONS = tuple(word.encode(charset) for word in ("<!DOCTYPE", "<!ENTITY") for charset in _CHARSETS)
_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_SLIDE = re.compile(r"<!-- Slide number: (\d+) -->")
_PICTURE = re.compile(r"!\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)")
_PICTURE_NAME = re.compile(r"(?:Picture|Image|Grafik|Bild|Content Placeholder|Google Shape;\S*)[ \d]*$")
_OPTIONS = {"escape_underscores": False, "escape_asterisks": False, "escape_misc": False, "table_infer_header": True}
# A text box's lines are paragraphs; Markdown would run them together.
_LINE_END = re.compile(r"(?<!\n)\n(?![\n|])")


def read_docx(content: bytes) -> Page:
    parts = check(content, "word/document.xml")
    markdown = _quietly(DocxConverter(), content, ".docx")
    return _page(_PICTURE.sub(_described, markdown), parts)


def read_pptx(content: bytes) -> Page:
    """Slides in order, each under its title; speaker notes below."""
    parts = check(content, "ppt/presentation.xml")
    markdown = _SLIDE.sub("", _PICTURE.sub(_described, _quietly(PptxConverter(), content, ".pptx")))
    return _page(_LINE_END.sub("\n\n", markdown).replace("\n### Notes:\n", "\n### Notes\n"), parts)


def check(content: bytes, main: str) -> bytes:
    """The core properties' XML (empty where there is none) of an Office file that is safe to open.

    Raises Unreadable: encrypted, an old or other format, damaged, a bomb, or XML that declares entities."""
    if content.startswith(_OLD_OFFICE):
        raise Unreadable(_old_or_encrypted(content))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            _check_kind(set(package.namelist()), main)
            return _read_all(package, len(content))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError) as error:
        raise Unreadable("The file is damaged: it is no complete Office file. Save or download it again.") from error
    except RuntimeError as error:  # zipfile's way to say that a password is needed
        raise Unreadable("The file is encrypted. Save a copy without a password, then import that.") from error


def _old_or_encrypted(content: bytes) -> str:
    if _ENCRYPTED in content:
        return "The file is encrypted. Save a copy without a password, then import that."
    return "This is a file of Office 97-2003 under a new name. Save it in the current format, then import that."


def _check_kind(names: set[str], main: str) -> None:
    if main in names:
        return
    other = next((kind for part, kind in _KINDS.items() if part in names), "")
    if other:
        raise Unreadable(f"This is {other} under another file type. Rename it, then import it again.")
    raise Unreadable(f"This is a zip archive but not {_KINDS[main]}. Import it as .zip, or save it again.")


def _read_all(package: zipfile.ZipFile, size: int) -> bytes:
    parts = package.infolist()
    if len(parts) > _MAX_PARTS:
        raise Unreadable(f"The file has more than {_MAX_PARTS:,} parts inside.")
    most = min(settings.PAM_MAX_ARCHIVE_BYTES, max(HARMLESS, settings.PAM_MAX_EXPANSION * size))
    total, core = 0, b""
    for part in parts:
        content = _read_part(package, part, most - total)
        total += len(content)
        if part.filename.endswith((".xml", ".rels")) and any(word in content for word in _DECLARATIONS):
            raise Unreadable("The file declares XML entities, which Office never writes. It is not opened.")
        if part.filename == "docProps/core.xml":
            core = content
    return core


def _read_part(package: zipfile.ZipFile, part: zipfile.ZipInfo, most: int) -> bytes:
    """A part's real bytes; a sheet may be as large as the whole, as it is read row by row."""
    streamed = part.filename.startswith("xl/worksheets/") or not part.filename.endswith(".xml")
    most = most if streamed else min(most, _MAX_PART)
    chunks, read = list[bytes](), 0
    with package.open(part) as file:
        while chunk := file.read(_CHUNK):
            read += len(chunk)
            if read > most:
                raise Unreadable("The file unpacks to far more than its own size (a zip bomb). It is not opened.")
            chunks.append(chunk)
    return b"".join(chunks)


def _quietly(converter: DocxConverter | PptxConverter, content: bytes, extension: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        info = StreamInfo(extension=extension)
        return clean(str(converter.convert(io.BytesIO(content), info, strict=True, **_OPTIONS).markdown))


def _described(picture: re.Match[str]) -> str:
    """A picture is its description where somebody wrote one, and nothing where the program named it."""
    return "" if _PICTURE_NAME.match(picture.group(1)) else picture.group(1)


def _page(markdown: str, core: bytes) -> Page:
    if not core:
        return Page(markdown)
    root = ElementTree.fromstring(core)

    def value(name: str) -> str:
        return clean(root.findtext(name) or "").strip()

    author = value(f"{_CORE}creator")
    return Page(
        markdown,
        label=value(f"{_CORE}title"),
        observed_at=moment(value(f"{_TERMS}modified")),
        properties={"author": author} if author else {},
    )
