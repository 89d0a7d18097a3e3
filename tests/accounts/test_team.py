"""The team: members and roles, invitations, switching, leaving, closing the account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import closing, isolation, keys, membership, team
from accounts.models import Account, Invitation, Membership, User
from tests.browsing import signed_in, text
from tests.cast import Person, person
from tests.connecting import connection as connected
from tests.connecting import token
from tests.memories.end_users import diary
from tests.requirements import requirement

ROLES = ["viewer", "member", "admin", "owner"]


def role_of(who: Person) -> str | None:
    with isolation.account(who.account.pk):
        return Membership.objects.filter(account=who.account, user=who.user).values_list("role", flat=True).first()


def member_of(who: Person) -> int:
    with isolation.account(who.account.pk):
        return Membership.objects.get(account=who.account, user=who.user).pk


def invited(by: Person, email: str = "dora@example.com", role: str = "member") -> str:
    """The path of the link that was shown."""
    page = text(signed_in(by).post("/team/invitations", {"email": email, "role": role}))
    found = re.search(r"https?://[^/]+(/join/pam_inv_[\w-]+)", page)
    assert found, page
    return found[1]


@requirement("team:roles")
@pytest.mark.parametrize("actor", ROLES)
@pytest.mark.parametrize(
    ("of", "to"), [("member", "admin"), ("member", "owner"), ("owner", "member"), ("viewer", "member")]
)
def test_who_may_change_whose_role(alice: Person, actor: str, of: str, to: str) -> None:
    acting = person("actor", alice.account, actor)
    other = person("other", alice.account, of)
    may = actor == "owner" or (actor == "admin" and "owner" not in (of, to))

    answer = signed_in(acting).post(f"/team/members/{member_of(other)}/role", {"role": to})

    assert role_of(other) == (to if may else of)
    assert answer.status_code == (302 if may else 403)


@requirement("team:roles")
@pytest.mark.parametrize("actor", ROLES)
def test_who_may_take_somebody_out(alice: Person, bob: Person, actor: str) -> None:
    acting = person("actor", alice.account, actor)

    for target, may in ((bob, actor in ("admin", "owner")), (alice, actor == "owner")):
        signed_in(acting).post(f"/team/members/{member_of(target)}/remove")
        assert (role_of(target) is None) == may


@requirement("team:last-owner")
def test_the_last_owner_neither_leaves_nor_steps_down(alice: Person, bob: Person) -> None:
    me = member_of(alice)
    for path, form in ((f"/team/members/{me}/remove", {}), (f"/team/members/{me}/role", {"role": "member"})):
        page = signed_in(alice).post(path, form, follow=True)
        assert "needs an owner" in text(page)
    assert role_of(alice) == "owner"

    signed_in(alice).post(f"/team/members/{member_of(bob)}/role", {"role": "owner"})
    signed_in(alice).post(f"/team/members/{me}/remove")
    assert (role_of(alice), role_of(bob)) == (None, "owner")


@requirement("team:removed-at-once")
def test_whoever_is_out_is_out_at_once_and_so_is_what_they_connected(alice: Person, bob: Person) -> None:
    page, secret = signed_in(bob), token(connected(bob, "Bob's editor"))
    assert page.get("/memories").status_code == 200

    signed_in(alice).post(f"/team/members/{member_of(bob)}/remove")

    assert page.get("/memories").status_code in (302, 403)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = Client(headers={"Authorization": f"Bearer {secret}"}).post(
        "/v1/mcp/memory", body, content_type="application/json"
    )
    assert answer.status_code == 401
    assert keys.recognise(bob.secret) is not None


@requirement("team:isolation")
def test_ids_of_another_account_are_not_found(alice: Person, bob: Person, charlie: Person) -> None:
    invited(alice)
    with isolation.account(alice.account.pk):
        invitation = Invitation.objects.get(account=alice.account)
    stranger = signed_in(charlie)

    assert stranger.post(f"/team/members/{member_of(bob)}/role", {"role": "owner"}).status_code == 404
    assert stranger.post(f"/team/members/{member_of(bob)}/remove").status_code == 404
    assert stranger.post(f"/team/invitations/{invitation.public_id}/take-back").status_code == 404
    assert stranger.post("/switch", {"account": alice.account.public_id}).status_code == 404
    assert role_of(bob) == "member"
    assert "bob" not in text(stranger.get("/team"))


@requirement("team:invitations")
def test_somebody_new_signs_up_by_an_invitation_and_is_in(alice: Person) -> None:
    path = invited(alice, role="admin")
    assert path in mail.outbox[-1].body
    assert mail.outbox[-1].to == ["dora@example.com"]
    browser = Client()
    assert "Join Alice" in text(browser.get(path))

    form = text(browser.get("/accounts/signup/"))
    assert "Join Alice" in form
    assert 'name="organisation"' not in form
    browser.post("/accounts/signup/", {"email": "dora@example.com", "password1": "correct horse battery"})

    dora = User.objects.get(email="dora@example.com")
    (member,) = membership.of(dora)
    assert (member.account, member.role) == (alice.account, "admin")
    assert "invitation is over" in text(Client().get(path))


@requirement("team:invitations")
def test_somebody_with_a_login_accepts_once_and_works_there(alice: Person, charlie: Person) -> None:
    path = invited(alice, "Charlie@example.com", "viewer")
    browser = signed_in(charlie)
    assert "Join Alice" in text(browser.get(path))

    page = browser.post("/join", follow=True)

    assert "Welcome to Alice" in text(page)
    assert sorted(each.role for each in membership.of(charlie.user)) == ["owner", "viewer"]
    assert "Alice" in text(browser.get("/team"))
    browser.post("/switch", {"account": charlie.account.public_id})
    assert "Who works in Charlie" in text(browser.get("/team"))
    assert browser.get(path).status_code == 410


@requirement("team:invitations")
def test_a_link_that_was_passed_on_lets_nobody_else_in(alice: Person, charlie: Person) -> None:
    path = invited(alice)
    browser = signed_in(charlie)
    assert "signed in as charlie@example.com" in text(browser.get(path))
    assert "is for dora@example.com" in text(browser.post("/join", follow=True))

    stranger = Client()
    stranger.get(path)
    form = {"email": "eve@example.com", "password1": "correct horse battery"}
    assert "is for dora@example.com" in text(stranger.post("/accounts/signup/", form))
    assert not User.objects.filter(email="eve@example.com").exists()
    assert len(membership.of(charlie.user)) == 1


@requirement("team:invitations")
@pytest.mark.parametrize("how", ["taken back", "over", "replaced", "forged"])
def test_an_invitation_that_is_over_opens_nothing(alice: Person, how: str) -> None:
    path = invited(alice)
    with isolation.account(alice.account.pk):
        open_one = Invitation.objects.get(account=alice.account)
    if how == "taken back":
        signed_in(alice).post(f"/team/invitations/{open_one.public_id}/take-back")
    elif how == "over":
        with isolation.account(alice.account.pk):
            Invitation.objects.filter(pk=open_one.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "replaced":
        invited(alice)
    else:
        path = "/join/pam_inv_forged"

    assert Client().get(path).status_code == 410


@requirement("team:invitations")
@pytest.mark.parametrize(
    ("actor", "form", "status"),
    [
        ("viewer", {"email": "d@example.com", "role": "member"}, 403),
        ("member", {"email": "d@example.com", "role": "member"}, 403),
        ("admin", {"email": "d@example.com", "role": "owner"}, 422),
        ("owner", {"email": "no address", "role": "member"}, 422),
        ("owner", {"email": "d@example.com", "role": "king"}, 422),
        ("owner", {"email": "ALICE@example.com", "role": "member"}, 422),
        ("owner", {}, 422),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(alice: Person, actor: str, form: dict[str, str], status: int) -> None:
    acting = person("actor", alice.account, actor)

    assert signed_in(acting).post("/team/invitations", form).status_code == status
    with isolation.account(alice.account.pk):
        assert not Invitation.objects.exists()


@requirement("team:invitations")
def test_an_invitation_opens_sign_up_where_it_is_closed(alice: Person, settings: Any) -> None:
    settings.PAM_SIGNUP_OPEN = False
    browser = Client()
    assert 'name="password1"' not in text(browser.get("/accounts/signup/"))

    browser.get(invited(alice))
    assert 'name="password1"' in text(browser.get("/accounts/signup/"))


@requirement("team:settings")
def test_name_and_retention_are_set_by_those_who_manage(alice: Person, bob: Person) -> None:
    wanted = {"name": "Nightjar & Sons <b>", "log_retention_days": 7}
    assert signed_in(bob).post("/team/settings", wanted).status_code == 403
    for wrong in ({**wanted, "log_retention_days": 0}, {**wanted, "name": " "}, {**wanted, "log_retention_days": 3651}):
        assert signed_in(alice).post("/team/settings", wrong).status_code == 422

    signed_in(alice).post("/team/settings", wanted)

    account = Account.objects.get(pk=alice.account.pk)
    assert (account.name, account.log_retention_days) == ("Nightjar & Sons <b>", 7)
    assert "Nightjar &amp; Sons &lt;b&gt;" in text(signed_in(alice).get("/team"))


@requirement("team:closing")
def test_a_closed_account_answers_nothing_until_it_is_taken_back(alice: Person, bob: Person) -> None:
    assert signed_in(bob).post("/team/close", {"name": alice.account.name}).status_code == 403
    signed_in(alice).post("/team/close", {"name": "alice's company"})
    assert keys.recognise(alice.secret) is not None

    signed_in(alice).post("/team/close", {"name": alice.account.name})

    assert keys.recognise(alice.secret) is None
    assert diary.send(alice, "get", "memories?external_user_id=pat").status_code == 401
    assert "This account is closed" in text(signed_in(bob).get("/team"))
    signed_in(alice).post("/team/reopen")
    assert keys.recognise(alice.secret) is not None


@requirement("team:closing")
def test_when_its_time_is_over_everything_of_it_is_gone_and_nothing_of_others(alice: Person, charlie: Person) -> None:
    for who in (alice, charlie):
        diary.told(who, "pat", "User lives in Lisbon.")
    before = _rows(charlie.account)
    closing.close(alice.caller, name=alice.account.name)
    assert closing.erase_due() == 0

    with isolation.account(alice.account.pk):
        Account.objects.filter(pk=alice.account.pk).update(closed_at=timezone.now() - timedelta(days=31))
    assert closing.erase_due() == 1

    assert not Account.objects.filter(pk=alice.account.pk).exists()
    assert _rows(alice.account) == {}
    assert _rows(charlie.account) == before
    assert User.objects.filter(pk=alice.user.pk).exists()


def _rows(account: Account) -> dict[str, int]:
    """How many rows of each table name the account; of the audit log none has to go."""
    tables = [
        model._meta.db_table
        for model in apps.get_models()
        if any(f.attname == "account_id" for f in model._meta.fields)
    ]
    with isolation.every_account(), connection.cursor() as cursor:
        found = {}
        for table in sorted(set(tables) - {"accounts_auditentry"}):
            cursor.execute(f'SELECT count(*) FROM "{table}" WHERE account_id = %s', [account.pk])
            found[table] = cursor.fetchone()[0]
    return {table: count for table, count in found.items() if count}


@requirement("team:isolation")
def test_the_team_service_counts_a_person_in_whatever_case(alice: Person) -> None:
    made, secret = team.invite(alice.caller, email="Dora@Example.com", role="member")

    assert team.is_for(made, User(email="dora@example.com"))
    assert team.invitation(secret) == made
