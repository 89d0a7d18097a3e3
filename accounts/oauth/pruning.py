"""Forgetting what is over: spent codes and tokens, connections that ended long ago, clients that nobody uses.

A spent refresh token is kept as long as it would have lived, or its reuse could not be told from a guess. Clients
remember their id for months, so one that nobody connected is given time; one with a connection is never forgotten.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone
from oauth2_provider.models import clear_expired

from accounts import isolation
from accounts.models import OAuthClient, OAuthConnection

#: How long an ended connection stays in people's lists.
ENDED_KEPT = timedelta(days=90)
BATCH = 1000


def prune() -> int:
    """Deletes what is over, in batches; returns how many connections and clients went."""
    with isolation.every_account():
        clear_expired()
    return _prune_connections() + _prune_clients()


def _prune_connections() -> int:
    now = timezone.now()
    with isolation.every_account():
        unredeemed = OAuthConnection.objects.filter(redeemed_at=None, expires_at__lt=now - timedelta(days=1))
        ended = OAuthConnection.objects.filter(expires_at__lt=now - ENDED_KEPT)
        revoked = OAuthConnection.objects.filter(revoked_at__lt=now - ENDED_KEPT)
        over = [pk for rows in (unredeemed, ended, revoked) for pk in rows.values_list("pk", flat=True)[:BATCH]]
        OAuthConnection.objects.filter(pk__in=over).delete()
    return len(set(over))


def _prune_clients() -> int:
    before = timezone.now() - timedelta(days=settings.PAM_OAUTH_UNUSED_CLIENT_DAYS)
    with isolation.every_account():
        connected = Exists(OAuthConnection.objects.filter(client=OuterRef("pk")))
        unused = OAuthClient.objects.filter(~connected, registration_source=OAuthClient.RegistrationSource.DCR)
        # Locked, so that nobody connects one while it goes.
        over = list(unused.filter(created__lt=before).select_for_update(skip_locked=True, of=("self",))[:BATCH])
        OAuthClient.objects.filter(~connected, pk__in=[client.pk for client in over]).delete()
    return len(over)
