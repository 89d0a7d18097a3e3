"""`manage.py import_documents`: a folder, a file or a .zip, what is said of it, and when the exit code is not zero."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts import isolation
from memories.company.intake import folders
from memories.management import waiting
from memories.models import Document, Source
from tests.cast import Person
from tests.documents import builders
from tests.memories import embedders, pipeline
from tests.requirements import requirement

pytestmark = pytest.mark.usefixtures("quick_vectors")


@pytest.fixture
def quick_vectors(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    for path, content in {
        "plan.md": b"# Plan\n\nThe new depot opens in May.",
        "people/owners.md": b"# Owners\n\nInes Okafor owns billing.",
        "people/note.txt": builders.latin_1("Zoë hält die Schlüssel.\n"),
        "people/logo.png": b"\x89PNG",
        "empty.md": b"",
        ".git/config.md": b"hidden",
        "people/.secret.md": b"hidden",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    (folder / "link.md").symlink_to(folder / "plan.md")
    return folder


def run(who: Person, path: Path, *options: str, capsys: Any) -> str:
    call_command("import_documents", who.account.public_id, str(path), *options)
    said: str = capsys.readouterr().out
    return said


@requirement("company:command:folder")
def test_a_folder_goes_in_with_its_tree_and_without_its_hidden_files(alice: Person, folder: Path, capsys: Any) -> None:
    said = run(alice, folder, "--here", capsys=capsys)

    assert pipeline.documents(alice.account) == {
        "plan.md": "ready",
        "people/owners.md": "ready",
        "people/note.txt": "ready",
    }
    with isolation.account(alice.account.pk):
        assert list(Source.objects.values_list("kind", "name")) == [("folder", "handbook")]
    assert "3 imported, 0 unchanged, 2 refused" in said
    assert "Refused: empty.md: The file is empty." in said
    assert "Refused: people/logo.png: " in said
    assert "Zoë hält die Schlüssel." in pipeline.statements(alice.account)


@requirement("company:command:folder")
def test_a_folder_again_is_unchanged_but_for_what_changed(alice: Person, folder: Path, capsys: Any) -> None:
    run(alice, folder, "--here", capsys=capsys)
    (folder / "plan.md").write_text("# Plan\n\nThe new depot opens in June.")

    said = run(alice, folder, "--here", capsys=capsys)

    assert "1 imported, 2 unchanged, 2 refused" in said
    assert "The new depot opens in June." in pipeline.statements(alice.account)
    assert "The new depot opens in May." not in pipeline.statements(alice.account)


@requirement("company:command:prune")
def test_lost_files_stay_unless_they_are_to_be_pruned_and_refused_ones_are_not_lost(
    alice: Person, folder: Path, capsys: Any
) -> None:
    run(alice, folder, "--here", capsys=capsys)
    (folder / "people/owners.md").unlink()
    (folder / "plan.md").write_bytes(b"")

    said = run(alice, folder, capsys=capsys)
    assert set(pipeline.documents(alice.account)) == {"plan.md", "people/owners.md", "people/note.txt"}
    assert "1 document is no longer in the folder: still in memory; delete with --delete-missing." in said

    said = run(alice, folder, "--delete-missing", capsys=capsys)
    assert set(pipeline.documents(alice.account)) == {"plan.md", "people/note.txt"}
    assert "1 deleted" in said
    assert "no longer in the folder" not in said


@requirement("company:command:prune")
def test_pruning_most_of_a_source_needs_to_be_forced(alice: Person, tmp_path: Path, capsys: Any) -> None:
    for number in range(20):
        (tmp_path / f"{number}.md").write_text(f"Plan {number}.")
    run(alice, tmp_path, capsys=capsys)
    for number in range(1, 20):
        (tmp_path / f"{number}.md").unlink()

    with pytest.raises(CommandError, match="would delete 19 documents"):
        run(alice, tmp_path, "--prune", capsys=capsys)
    assert len(pipeline.documents(alice.account)) == 20

    run(alice, tmp_path, "--prune", "--force", capsys=capsys)
    assert len(pipeline.documents(alice.account)) == 1


@requirement("company:command:file")
def test_a_single_file_and_an_archive_go_in_too(alice: Person, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "plan.md").write_text("The new depot opens in May.")
    (tmp_path / "export.zip").write_bytes(builders.archive({"a/b.md": b"Ines owns billing.", "a/c.exe": b"MZ"}))

    run(alice, tmp_path / "plan.md", capsys=capsys)
    said = run(alice, tmp_path / "export.zip", "--source", "wiki", capsys=capsys)

    with isolation.account(alice.account.pk):
        found = set(Document.objects.values_list("source__kind", "source__name", "path"))
    assert found == {("upload", "Uploads", "plan.md"), ("archive", "wiki", "a/b.md")}
    assert "Refused: a/c.exe: " in said


@requirement("company:command:nothing")
def test_only_an_import_of_nothing_fails(alice: Person, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/logo.png").write_bytes(b"\x89PNG")
    (tmp_path / "bomb.zip").write_bytes(b"no archive")

    for path, reason in [
        ("empty", "There is no document in"),
        ("bad", "Nothing could be imported"),
        ("bomb.zip", "Nothing could be imported"),
        ("nowhere", "There is no file or folder"),
    ]:
        with pytest.raises(CommandError, match=reason):
            run(alice, tmp_path / path, capsys=capsys)
    with pytest.raises(CommandError, match="There is no account called"):
        call_command("import_documents", "nobody", str(tmp_path))
    assert "bomb.zip" in capsys.readouterr().out


@requirement("company:command:no-worker")
def test_waiting_without_a_worker_says_plainly_that_there_is_none(
    alice: Person, folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, dead_broker: None
) -> None:
    monkeypatch.setattr(waiting, "_PATIENCE", 0)
    monkeypatch.setattr(waiting, "_LONGEST_PATIENCE", 0)

    with pytest.raises(CommandError, match="No worker is running"):
        run(alice, folder, "--wait", capsys=capsys)

    assert set(pipeline.documents(alice.account).values()) == {"queued"}


@requirement("company:command:no-worker")
def test_an_embedder_that_is_away_ends_the_work_with_what_is_left_and_when_it_is_tried_again(
    alice: Person, folder: Path, capsys: Any, settings: Any
) -> None:
    settings.PAM_EMBEDDER = embedders.DOWN

    with pytest.raises(CommandError, match="does not answer; the next try is at"):
        run(alice, folder, "--here", capsys=capsys)

    assert set(pipeline.documents(alice.account).values()) == {"ready"}


@requirement("import:folder:left-out")
def test_a_folder_with_a_file_noimport_is_left_out_with_all_below_it(tmp_path) -> None:
    for path in ("kept.md", "chats/one.md", "chats/deep/two.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("# Words\n\nSome words.\n")
    (tmp_path / "chats/.noimport").touch()

    assert [file.path for file in folders.files(tmp_path)] == ["kept.md"]
