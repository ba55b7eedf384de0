"""The second factor of staff: a code of an authenticator app (TOTP), or one of ten recovery codes,
each good for once.

The devices, their counters and the pauses after wrong codes are django-otp's. Of recovery codes
only a digest is kept.
"""

import secrets
from hashlib import sha256

from django.core.exceptions import PermissionDenied
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from apps.accounts.models import User
from apps.accounts.services.sessions import end_sessions
from apps.common.db.transactions import one_transaction

APP, RECOVERY = "Authenticator app", "Recovery codes"
RECOVERY_CODES = 10
LETTERS, LENGTH, APP_DIGITS = "abcdefghjkmnpqrstuvwxyz23456789", 10, 6


def has_second_factor(user: User) -> bool:
    """Return whether a member of staff has set up an authenticator app."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


@one_transaction
def app_to_set_up(*, user: User) -> TOTPDevice:
    """Return the authenticator app that waits for its first code, with a new secret where there is
    none.
    """
    User.objects.select_for_update().get(pk=user.pk)
    waiting = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    return waiting or TOTPDevice.objects.create(user=user, name=APP, confirmed=False)


@one_transaction
def set_up_app(*, user: User, code: str) -> list[str]:
    """Take the first code of an app: it is the second factor from now on. Return the recovery
    codes, which nobody can show again; none where the code is wrong or another app was set up
    before.
    """
    User.objects.select_for_update().get(pk=user.pk)
    app = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if app is None or has_second_factor(user) or not app.verify_token(_plain(code)):
        return []
    app.confirmed = True
    app.save(update_fields=["confirmed"])
    return _recovery_codes(user)


@one_transaction
def renew_recovery_codes(*, user: User, code: str) -> list[str]:
    """Return new recovery codes for a right code, which is used up: the old ones end. None for a
    wrong code.
    """
    return _recovery_codes(user) if check_code(user=user, code=code) else []


def _recovery_codes(user: User) -> list[str]:
    """Give a member of staff new recovery codes, each good for once, in place of all
    former ones.
    """
    StaticDevice.objects.filter(user=user).delete()
    codes = ["".join(secrets.choice(LETTERS) for _ in range(LENGTH)) for _ in range(RECOVERY_CODES)]
    device = StaticDevice.objects.create(user=user, name=RECOVERY)
    for recovery in codes:
        device.token_set.create(token=_digest(user, recovery))
    return [f"{recovery[:5]}-{recovery[5:]}" for recovery in codes]


@one_transaction
def check_code(*, user: User, code: str) -> bool:
    """Return whether a code is right, and use it up; after a wrong one the next is taken after a
    pause only.
    """
    plain = _plain(code)
    if plain.isdecimal() and len(plain) == APP_DIGITS:
        devices, token = TOTPDevice.objects.filter(user=user, confirmed=True), plain
    else:
        devices, token = (
            StaticDevice.objects.filter(user=user, confirmed=True),
            _digest(user, plain),
        )
    return any(device.verify_token(token) for device in devices.select_for_update())


@one_transaction
def reset_second_factor(*, actor: User | None, user_id: int) -> None:
    """Forget the app and the codes of a member of staff who lost them: the next sign-in sets up
    anew.

    `actor` is None for the operator at the machine.

    Raises:
        PermissionDenied: the actor is no superuser.
    """
    if actor is not None and not actor.is_superuser:
        raise PermissionDenied
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user_id=user_id).delete()
    end_sessions(user_id=user_id)


def _plain(code: str) -> str:
    return "".join(char for char in code.lower() if char.isalnum())


def _digest(user: User, recovery: str) -> str:
    return sha256(f"{user.pk}:{recovery}".encode()).hexdigest()[:16]
