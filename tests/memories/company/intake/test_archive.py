import io
from collections.abc import Callable

import pytest
from django.test import override_settings

from memories.company.intake import archive
from memories.company.intake.archive import Entry, Refusal
from memories.errors import Unreadable
from tests.documents import builders
from tests.requirements import requirement


def unpacked(content: bytes) -> tuple[dict[str, bytes], dict[str, str]]:
    """What was taken, and what was refused with which reason."""
    found = list(archive.entries("docs.zip", io.BytesIO(content)))
    taken = {each.path: each.content for each in found if isinstance(each, Entry)}
    refused = {each.path: each.reason for each in found if isinstance(each, Refusal)}
    return taken, refused


@requirement("company:archive:tree")
def test_folders_are_kept_as_the_tree():
    taken, refused = unpacked(builders.archive({"a.md": b"1", "people/b.md": b"2", "people/old/c.txt": b"3"}))

    assert taken == {"a.md": b"1", "people/b.md": b"2", "people/old/c.txt": b"3"}
    assert refused == {}


@requirement("company:archive:tree")
def test_the_ids_of_a_notion_export_are_trimmed_unless_they_tell_two_pages_apart():
    one, two = "0a1b2c3d4e5f60718293a4b5c6d7e8f9", "ffffffffffffffffffffffffffffffff"
    taken, _ = unpacked(
        builders.archive(
            {f"Team {one}/Plan {one}.md": b"1", f"Notes {one}.md": b"2", f"Notes {two}.md": b"3", "deadbeef.md": b"4"}
        )
    )

    assert set(taken) == {"Team/Plan.md", f"Notes {one}.md", f"Notes {two}.md", "deadbeef.md"}


@requirement("company:archive:paths")
def test_no_path_leaves_the_folder():
    taken, refused = unpacked(builders.traversal_archive())

    assert list(taken) == ["docs/good.md"]
    assert len(refused) >= 5
    assert all("leads out" in reason for reason in refused.values())


@requirement("company:archive:paths")
def test_windows_separators_make_folders():
    assert list(unpacked(builders.archive({"people\\staff\\ada.md": b"1"}))[0]) == ["people/staff/ada.md"]


@requirement("company:archive:paths")
def test_links_are_ignored():
    taken, refused = unpacked(builders.archive_with_link())

    assert list(taken) == ["good.md"]
    assert refused == {}


@requirement("company:archive:neighbours")
@pytest.mark.parametrize(
    ("build", "bad", "reason"),
    [
        (builders.zip_bomb, "bomb.txt", "zip bomb"),
        (builders.encrypted_archive, "secret.md", "encrypted"),
        (lambda: builders.archive({"in.zip": builders.zip_bomb(1), "good.md": b"1"}), "in.zip", "inside the archive"),
        (lambda: builders.archive({"film.mp4": b"0" * 99, "good.md": b"1"}), "film.mp4", ".mp4 are not supported"),
    ],
)
def test_a_refused_entry_never_stops_its_neighbours(build: Callable[[], bytes], bad, reason):
    taken, refused = unpacked(build())

    assert list(taken) == ["good.md"]
    assert reason in refused[bad]


@requirement("company:archive:neighbours")
def test_a_damaged_entry_is_refused_alone():
    content = bytearray(builders.archive({"bad.md": b"bad " * 9, "good.md": b"good"}, compression=0))
    content[content.index(b"bad bad")] ^= 0xFF
    taken, refused = unpacked(bytes(content))

    assert list(taken) == ["good.md"]
    assert "damaged" in refused["bad.md"]


@requirement("company:archive:bounds")
def test_headers_that_name_a_smaller_size_let_nothing_through():
    taken, refused = unpacked(builders.lying_archive())

    assert taken == {}
    assert list(refused) == ["bomb.txt"]


@override_settings(PAM_MAX_DOCUMENT_BYTES=1000)
@requirement("company:archive:bounds")
def test_an_entry_over_its_bound_is_refused():
    taken, refused = unpacked(builders.archive({"long.txt": b"1" * 1001, "fits.txt": b"1" * 1000}))

    assert list(taken) == ["fits.txt"]
    assert "larger than" in refused["long.txt"]


@override_settings(PAM_MAX_ARCHIVE_BYTES=2500)
@requirement("company:archive:bounds")
def test_past_the_bound_of_the_whole_archive_the_rest_is_refused():
    taken, refused = unpacked(builders.archive({f"{at}.txt": b"1" * 1000 for at in range(4)}))

    assert list(taken) == ["0.txt", "1.txt"]
    assert all("too large as a whole" in reason for reason in refused.values())
    assert list(refused) == ["2.txt", "3.txt"]


@override_settings(PAM_MAX_ARCHIVE_ENTRIES=3)
@requirement("company:archive:bounds")
def test_an_archive_of_too_many_files_is_refused_whole():
    assert len(unpacked(builders.archive({f"{at}.md": b"1" for at in range(3)}))[0]) == 3
    with pytest.raises(Unreadable, match="4 files, where 3 are allowed"):
        unpacked(builders.archive({f"{at}.md": b"1" for at in range(4)}))


def test_what_operating_systems_leave_behind_is_skipped_without_a_word():
    junk = ("__MACOSX/._a.md", ".DS_Store", "docs/.obsidian/app.json", ".git/config.md", "Thumbs.db", "docs/.hidden.md")
    taken, refused = unpacked(builders.archive(dict.fromkeys(junk, b"x") | {"a.md": b"1", "./b.md": b"2"}))

    assert list(taken) == ["a.md", "b.md"]
    assert refused == {}


@requirement("company:archive:same-name")
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_entries_of_one_name_the_first_is_kept_and_the_second_told():
    content = builders.archive({"a.md": b"first", "b.md": b"second"}).replace(b"b.md", b"a.md")
    taken, refused = unpacked(content)

    assert taken == {"a.md": b"first"}
    assert "another file of this name" in refused["a.md"]


@pytest.mark.parametrize(
    ("stored", "flag"), [("Zürich.md".encode("cp437"), 0), ("Zürich.md".encode(), 0x800), ("Zürich.md".encode(), 0)]
)
def test_names_are_read_as_they_were_written(stored, flag):
    content = bytearray(builders.archive({"x" * (len(stored) - 3) + ".md": b"1"}))
    for marker, name_at, flag_at in ((b"PK\x03\x04", 30, 6), (b"PK\x01\x02", 46, 8)):
        start = content.index(marker)
        content[start + name_at : start + name_at + len(stored)] = stored
        content[start + flag_at : start + flag_at + 2] = flag.to_bytes(2, "little")

    assert list(unpacked(bytes(content))[0]) == ["Zürich.md"]


@requirement("company:archive:bounds")
@pytest.mark.parametrize(
    "content",
    [b"", b"no zip at all", builders.archive({"a.md": b"1" * 500})[:-40], b"PK\x03\x04" + b"\0" * 90],
    # An archive holds the time it was made at, and workers must agree on the names of tests.
    ids=["empty", "text", "cut off", "a head alone"],
)
def test_what_is_no_archive_is_refused_whole(content):
    with pytest.raises(Unreadable, match=r"docs\.zip is damaged, or no zip archive"):
        unpacked(content)
