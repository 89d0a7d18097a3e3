"""The page of the team: members, invitations, the account's own settings; switching between accounts; joining one.

Parse, one service call, render. What is not allowed is not shown, and is refused by the service all the same.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from accounts import account_settings, authentication, closing, membership, support_access, team
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound
from accounts.forms import AccountForm, InvitationForm, SupportForm
from accounts.models import Invitation, Membership, User


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    return _shown(request, authentication.person(request))


@sensitive_variables("link")
def _shown(
    request: HttpRequest,
    caller: Caller,
    *,
    invitation: InvitationForm | None = None,
    account: AccountForm | None = None,
    support: SupportForm | None = None,
    invited: Invitation | None = None,
    link: str = "",
    status: int = 200,
) -> HttpResponse:
    manages = caller.role in (Membership.Role.OWNER, Membership.Role.ADMIN)
    context: dict[str, Any] = {
        "caller": caller,
        "manages": manages,
        "is_owner": caller.role == Membership.Role.OWNER,
        "members": team.members(caller),
        "invitations": team.invitations(caller) if manages else [],
        "roles": InvitationForm.roles_for(caller),
        "invitation_form": invitation or InvitationForm(caller=caller),
        "account_form": account or AccountForm.of(caller.account),
        "support_form": support or SupportForm.of(caller.account),
        "support_is_on": support_access.is_on(caller.account),
        "invited": invited,
        "link": link,
        "accounts": membership.of(caller.user) if caller.user else [],
        "sends_mail": settings.PAM_CAN_MAIL,
        "grace_end": closing.erased_on(caller.account),
        "grace_days": settings.PAM_CLOSING_DAYS,
    }
    return render(request, "team.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("secret", "link")
def invite(request: HttpRequest) -> HttpResponse:
    """Sends the link by mail where there is a mail server, and shows it once to whoever invited in any case."""
    if request.method == "GET":
        return redirect("team")
    caller = authentication.person(request)
    form = InvitationForm(request.POST, caller=caller)
    if not form.is_valid():
        return _shown(request, caller, invitation=form, status=422)
    try:
        invited, secret = team.invite(caller, **form.cleaned_data)
    except InvalidArguments as error:
        form.add_error(None, error.message)
        return _shown(request, caller, invitation=form, status=422)
    link = settings.PUBLIC_URL + reverse("join", args=[secret])
    _send(invited, caller, link)
    return _shown(request, caller, invited=invited, link=link)


def _send(invited: Invitation, caller: Caller, link: str) -> None:
    context = {
        "link": link,
        "account_name": caller.account.name,
        "inviter": caller.user.email if caller.user else "",
        "role": invited.get_role_display(),
        "days": team.LIFETIME.days,
    }
    get_adapter().send_mail("account/email/invitation", invited.email, context)


@require_POST
def take_back(request: HttpRequest, invitation_id: str) -> HttpResponse:
    taken = team.take_back(authentication.person(request), invitation_id)
    messages.success(request, f"The invitation of {taken.email} is taken back.")
    return redirect("team")


@require_POST
def change_role(request: HttpRequest, member_id: int) -> HttpResponse:
    caller = authentication.person(request)
    try:
        member = team.change_role(caller, member_id, request.POST.get("role", ""))
    except InvalidArguments as error:
        messages.error(request, error.message)
    else:
        messages.success(request, f"{member.user.email} is {member.get_role_display().lower()} now.")
    return redirect("team")


@require_POST
def remove(request: HttpRequest, member_id: int) -> HttpResponse:
    """Takes somebody out; whoever leaves goes on in another account of theirs, if they have one."""
    caller = authentication.person(request)
    try:
        member = team.remove(caller, member_id)
    except InvalidArguments as error:
        messages.error(request, error.message)
        return redirect("team")
    if caller.user is not None and member.user_id == caller.user.pk:
        request.session.pop(membership.SESSION_KEY, None)
        messages.success(request, f"You left {caller.account.name}.")
        return redirect("setup")
    messages.success(request, f"{member.user.email} is out of {caller.account.name}.")
    return redirect("team")


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Works in another account of one's own from now on. Raises NotFound for one that is not."""
    user = request.user
    chosen = request.POST.get("account", "")
    if not isinstance(user, User) or chosen not in {each.account.public_id for each in membership.of(user)}:
        raise NotFound
    request.session[membership.SESSION_KEY] = chosen
    return redirect("setup")


@never_cache
@require_http_methods(["GET", "POST"])
def settings_of_account(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect("team")
    caller = authentication.person(request)
    form = AccountForm(request.POST)
    if not form.is_valid():
        return _shown(request, caller, account=form, status=422)
    account_settings.change(caller, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("team")


@never_cache
@require_http_methods(["GET", "POST"])
def support(request: HttpRequest) -> HttpResponse:
    """An owner lets staff read the account's texts, or no longer."""
    if request.method == "GET":
        return redirect("team")
    caller = authentication.person(request)
    form = SupportForm(request.POST)
    if not form.is_valid():
        return _shown(request, caller, support=form, status=422)
    try:
        account = support_access.switch(caller, **form.cleaned_data)
    except InvalidArguments as error:
        form.add_error("until", error.message)
        return _shown(request, caller, support=form, status=422)
    is_on = support_access.is_on(account)
    messages.success(request, f"Staff may {'read' if is_on else 'no longer read'} the texts of {account.name}.")
    return redirect("team")


@require_POST
def close(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    try:
        closing.close(caller, name=request.POST.get("name", ""))
    except InvalidArguments as error:
        messages.error(request, error.message)
    else:
        days = settings.PAM_CLOSING_DAYS
        messages.success(request, f"{caller.account.name} is closed. It can be taken back for {days} days.")
    return redirect("team")


@require_POST
def reopen(request: HttpRequest) -> HttpResponse:
    account = closing.reopen(authentication.person(request))
    messages.success(request, f"{account.name} is open again.")
    return redirect("team")


@never_cache
@require_GET
@sensitive_variables("secret")
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Where the link of an invitation leads: what it is about, and how to accept it."""
    found = team.invitation(secret)
    if found is not None:
        request.session[team.FOLLOWED] = secret
    user = request.user if isinstance(request.user, User) else None
    context = {"invitation": found, "is_mine": found is not None and user is not None and team.is_for(found, user)}
    return render(request, "join.html", context, status=200 if found else 410)


@login_required
@require_POST
@sensitive_variables("secret")
def accept(request: HttpRequest) -> HttpResponse:
    secret = request.session.pop(team.FOLLOWED, "")
    user = request.user
    if not isinstance(user, User):
        raise NotFound
    try:
        member = team.accept(secret, user)
    except InvalidArguments as error:
        messages.error(request, error.message)
        return redirect("setup")
    request.session[membership.SESSION_KEY] = member.account.public_id
    messages.success(request, f"Welcome to {member.account.name}.")
    return redirect("setup")
