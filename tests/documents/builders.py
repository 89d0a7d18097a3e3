"""Documents for tests, good and bad, made as bytes: nothing binary lies in the repository.

Each function returns the content of one file. `bad_files()` has every kind that an import must refuse, by file name.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from email.message import EmailMessage
from xml.sax.saxutils import escape

import openpyxl
from pptx import Presentation
from pptx.util import Inches
from pypdf import PdfReader, PdfWriter

Line = tuple[str, int, bool]
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MADE_AT = (2026, 1, 1, 0, 0, 0)
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def archive(files: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of `files`, by path, in their order. The same files make the same bytes, whenever it is."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as package:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _MADE_AT)
            entry.compress_type = compression
            package.writestr(entry, content)
    return target.getvalue()


def docx(
    paragraphs: Iterable[tuple[str, str]],
    rows: Sequence[Sequence[str]] = (),
    *,
    title: str = "",
    modified: str = "",
    author: str = "",
    extra: dict[str, bytes] | None = None,
) -> bytes:
    """A Word file. A paragraph is (style, text): `Heading1` to `Heading6`, `ListParagraph`, or empty for body text."""
    body = "".join(_paragraph(style, text) for style, text in paragraphs) + _word_table(rows)
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(),
        "docProps/core.xml": _core(title, modified, author),
        "word/document.xml": f'{_XML}<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'.encode(),
    }
    return archive(parts | (extra or {}))


def pptx(slides: Iterable[tuple[str, str]], *, notes: str = "") -> bytes:
    """A presentation of (title, text) slides; the notes go to the first."""
    deck = Presentation()
    for title, text in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
        slide.shapes.add_textbox(Inches(1), Inches(2), Inches(6), Inches(3)).text_frame.text = text
    if notes:
        deck.slides[0].notes_slide.notes_text_frame.text = notes
    return _saved(deck)


def xlsx(sheets: dict[str, Sequence[Sequence[object]]], *, hidden: Iterable[str] = ()) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for row in rows:
            sheet.append(list(row))
    return _saved(book)


def eml(text: str, *, html: str = "", attachments: Iterable[str] = (), charset: str = "utf-8", **headers: str) -> bytes:
    """An e-mail; headers by name (`Subject="..."`)."""
    message = EmailMessage()
    for name, value in headers.items():
        message[name] = value
    if text:
        message.set_content(text, charset=charset)
    if html and text:
        message.add_alternative(html, subtype="html")
    elif html:
        message.set_content(html, subtype="html")
    for name in attachments:
        message.add_attachment(b"...", maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def pdf(
    pages: Iterable[Iterable[Line]], *, tables: Iterable[Sequence[Sequence[str]]] = (), modified: str = ""
) -> bytes:
    """A PDF of pages of lines (text, size, bold); tables, ruled, stand on the last page below its lines."""
    contents = [_page_content(list(lines)) for lines in pages]
    for rows in tables:
        contents[-1] += _ruled(rows)
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects += [_font("Helvetica"), _font("Helvetica-Bold")]
    kids = []
    for content in contents:
        packed = zlib.compress(content)
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(kids), b" ".join(kids))
    objects.append(b"<< /Title (Untitled) /ModDate (%b) >>" % modified.encode())
    return _pdf_file(objects)


def encrypted_pdf(password: str = "open sesame") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf([[("Salaries of the board", 12, False)]]))))
    writer.encrypt(password, algorithm="RC4-128")
    return _saved(writer, write=True)


def scanned_pdf() -> bytes:
    """A page without a letter."""
    return pdf([[]])


def pdf_bomb(megabytes: int = 40) -> bytes:
    """One content stream of spaces."""
    packed = zlib.compress(b" " * megabytes * 1024 * 1024, 9)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>"
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)
    pages = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
    return _pdf_file([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, stream, b"<< >>"])


def fake_docx() -> bytes:
    """Text under the name of a Word file."""
    return b"This is no zip archive at all, whatever its name says.\n" * 20


def encrypted_docx() -> bytes:
    """The head of what Office writes for a file with a password."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512


def docx_bomb(megabytes: int = 40) -> bytes:
    """A Word file with a part that unpacks to a thousand times its size."""
    return docx([("", "Short.")], extra={"word/media/image1.bin": b"\0" * megabytes * 1024 * 1024})


def entity_bomb_docx() -> bytes:
    """A Word file whose XML declares entities that unfold."""
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    entities = '<!ENTITY a "ha">' + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in pairs)
    body = "<w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body>"
    document = f'<!DOCTYPE d [{entities}]><w:document xmlns:w="{_W}">{body}</w:document>'
    return docx([], extra={"word/document.xml": document.encode()})


def zip_bomb(megabytes: int = 40) -> bytes:
    """An archive with one entry of zeros beside a good one."""
    return archive({"bomb.txt": b"0" * megabytes * 1024 * 1024, "good.md": b"# Good\n\nStill here.\n"})


def lying_archive(megabytes: int = 40) -> bytes:
    """An archive whose headers name a tenth of an entry's real size."""
    size = megabytes * 1024 * 1024
    return archive({"bomb.txt": b"0" * size}).replace(struct.pack("<L", size), struct.pack("<L", size // 10))


def traversal_archive() -> bytes:
    """An archive whose paths try to leave their folder, beside a good one."""
    evil = (
        "../evil.md",
        "/etc/evil.md",
        "C:\\evil.md",
        "docs\\..\\..\\evil.md",
        "docs/../../evil.md",
        "//host/share/evil.md",
    )
    return archive(dict.fromkeys(evil, b"# Evil\n") | {"docs/good.md": b"# Good\n\nStill here.\n"})


def encrypted_archive() -> bytes:
    """An archive with an entry that is marked as encrypted, beside a good one."""
    content = bytearray(archive({"secret.md": b"# Secret\n", "good.md": b"# Good\n\nStill here.\n"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def archive_with_link() -> bytes:
    """An archive with a symbolic link to a file of the machine, beside a good one."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        link = zipfile.ZipInfo("passwords.md")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        package.writestr(link, "/etc/passwd")
        package.writestr("good.md", "# Good\n\nStill here.\n")
    return target.getvalue()


def utf_16(text: str, *, mark: bool = True, big: bool = False) -> bytes:
    endian = "be" if big else "le"
    return (("\ufeff" if mark else "") + text).encode(f"utf-16-{endian}")


def latin_1(text: str) -> bytes:
    return text.encode("latin-1")


def program() -> bytes:
    """The head of a Linux program."""
    return b"\x7fELF\x02\x01\x01" + b"\0" * 200


def binary() -> bytes:
    """Bytes of no known kind that are no text."""
    return bytes(range(256)) * 40


def deep_json(levels: int = 100_000) -> bytes:
    return b"[" * levels + b"]" * levels


def deep_html(levels: int = 5_000) -> bytes:
    return b"<div>" * levels + b"deep" + b"</div>" * levels


def bad_files() -> dict[str, bytes]:
    """One of every kind that must be refused, by a name that says which."""
    good_docx = docx([("", "A paragraph that is long enough to be cut off in the middle of the file.")])
    return {
        "empty.md": b"",
        "blank.txt": b" \n\n\t",
        "encrypted.pdf": encrypted_pdf(),
        "scan.pdf": scanned_pdf(),
        "bomb.pdf": pdf_bomb(),
        "no.pdf": b"Just text.",
        "damaged.pdf": b"%PDF-1.4\n1 0 obj\n<< /Type /Cat",
        "fake.docx": fake_docx(),
        "encrypted.docx": encrypted_docx(),
        "damaged.docx": good_docx[: len(good_docx) // 2],
        "bomb.docx": docx_bomb(),
        "entities.docx": entity_bomb_docx(),
        "really-a-workbook.docx": xlsx({"One": [["a", "b"]]}),
        "any-zip.xlsx": archive({"readme.md": b"# Hello"}),
        "program.md": program(),
        "binary.txt": binary(),
        "picture.md": b"\x89PNG\r\n\x1a\n" + b"\0" * 50,
        "broken.json": b'{"name": "Ada", }',
        "deep.json": deep_json(),
        "deep.html": deep_html(),
        "no-headers.eml": b"Hello there,\n\nthis is no e-mail.\n",
        "tool.exe": b"MZ\x90\0" + b"\0" * 60,
        "no-suffix": b"Some text.",
    }


def _paragraph(style: str, text: str) -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{look}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def _word_table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = ("".join(f"<w:tc>{_paragraph('', value)}</w:tc>" for value in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{line}</w:tr>" for line in lines) + "</w:tbl>"


def _content_types() -> bytes:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>'
    ).encode()


def _relations() -> bytes:
    return (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
    ).encode()


def _core(title: str, modified: str, author: str) -> bytes:
    when = f"<dcterms:modified>{modified}</dcterms:modified>" if modified else ""
    return (
        f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>{when}</cp:coreProperties>"
    ).encode()


def _font(name: str) -> bytes:
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%b /Encoding /WinAnsiEncoding >>" % name.encode()


def _page_content(lines: list[Line]) -> bytes:
    parts, y = list[bytes](), 790
    for text, size, is_bold in lines:
        y -= int(size * 1.3) + (10 if size > 12 or is_bold else 0)
        parts.append(_text_at(text, 60, y, size, is_bold=is_bold))
    return b"\n".join(parts) + b"\n"


def _text_at(text: str, x: int, y: int, size: int, *, is_bold: bool = False) -> bytes:
    plain = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F%d %d Tf %d %d Td (%b) Tj ET" % (2 if is_bold else 1, size, x, y, plain)


def _ruled(rows: Sequence[Sequence[str]]) -> bytes:
    left, top, width, height = 60, 300, 120, 20
    columns, right, bottom = len(rows[0]), left + width * len(rows[0]), top - height * len(rows)
    parts = [b"%d %d m %d %d l S" % (left, top - height * at, right, top - height * at) for at in range(len(rows) + 1)]
    parts += [b"%d %d m %d %d l S" % (left + width * at, top, left + width * at, bottom) for at in range(columns + 1)]
    for down, row in enumerate(rows):
        parts += [_text_at(value, left + 4 + width * at, top - height * down - 14, 10) for at, value in enumerate(row)]
    return b"\n".join(parts) + b"\n"


def _pdf_file(objects: Sequence[bytes]) -> bytes:
    """The last object is the file's information dictionary."""
    content, places = b"%PDF-1.4\n", list[int]()
    for number, value in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, value)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return content + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(objects), len(content))
    )


def _saved(document: object, *, write: bool = False) -> bytes:
    target = io.BytesIO()
    getattr(document, "write" if write else "save")(target)
    return target.getvalue()
