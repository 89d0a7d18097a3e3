"""Questions and documents in scripts that the English embedding model can't read: words decide."""

import pytest

from tests.cast import Person
from tests.memories.company.shelf import asked, shelve, statements
from tests.requirements import requirement

DOCUMENTS = {
    "ja.md": "# 返金\n\n返金は責任者のイネス岡村が承認します。申請の期限は五日以内です。\n",
    "zh.md": "# 退款\n\n退款由财务部门负责审批,通常五天内完成。\n",
    "ru.md": "# Возвраты\n\nВозвраты свыше 500 евро утверждает Инес Окафор в течение пяти дней.\n",
    "ar.md": "# استرداد\n\nيوافق مدير المالية على طلبات الاسترداد خلال خمسة أيام.\n",
    "th.md": "# การคืนเงิน\n\nฝ่ายการเงินอนุมัติการคืนเงินภายในห้าวัน\n",
    "en.md": "# Timetable\n\nThe ferry leaves Harwick at seven and Skelby at eight on every day but Sunday.\n",
}


@pytest.fixture
def polyglot(alice: Person) -> Person:
    shelve(alice.agent, DOCUMENTS)
    return alice


@requirement("retrieve:scripts")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("返金は誰が承認しますか?", "ja.md"),
        ("谁负责审批退款?", "zh.md"),
        ("Кто утверждает возвраты?", "ru.md"),
        ("من يوافق على طلبات الاسترداد؟", "ar.md"),
        ("ใครอนุมัติการคืนเงิน", "th.md"),
    ],
)
def test_a_related_question_finds_its_document_by_shared_words(polyglot: Person, question: str, path: str) -> None:
    found = asked(polyglot, question)

    assert found.findings.facts[0].origins[0].source_path == path
    assert "by words alone" in found.degraded_reason


@requirement("retrieve:scripts")
@pytest.mark.parametrize(
    "question",
    [
        "富士山の高さはどのくらいですか?",
        "月球离地球有多远?",
        "Какова высота Эвереста над уровнем моря?",
        "ما هو ارتفاع جبل إيفرست؟",
        "ภูเขาไฟฟูจิสูงเท่าไร",
    ],
)
def test_an_unrelated_question_finds_nothing(polyglot: Person, question: str) -> None:
    found = asked(polyglot, question)

    assert (statements(found), found.findings.coverage) == ([], "none")
