"""Keys are replaced without a sign-out: what the one before signed still opens while it
is named.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from apps.accounts import tokens
from apps.accounts.selectors import Buyer
from apps.common.storage.files import file_signer, is_signed, signed_name
from apps.common.testing import ContractClient

NEW_SECRET, NEW_SIGNING = (
    "kQ7vXz2mLp9RtYw4Bc6NdFg8HjUs3EaKo5ViTrMx",
    "Gf5TnB8wQe2YzRk7LxVm4CpHs9DjUa3Io6KtWrXy",
)


@pytest.fixture
def replace_keys(settings: Any) -> Iterator[Callable[..., None]]:
    """Return a function that makes new keys the portal's own, and names the old ones or doesn't."""

    def forget() -> None:
        tokens._backends.cache_clear()
        tokens._verified.cache_clear()

    old = settings.SECRET_KEY, settings.JWT_SIGNING_KEY

    def replace(*, naming_the_old: bool) -> None:
        settings.SECRET_KEY, settings.JWT_SIGNING_KEY = NEW_SECRET, NEW_SIGNING
        settings.SECRET_KEY_FALLBACKS = [old[0]] if naming_the_old else []
        settings.JWT_SIGNING_KEY_FALLBACKS = [old[1]] if naming_the_old else []
        forget()

    yield replace
    forget()


@pytest.mark.parametrize(("is_named_key", "status"), [(True, 200), (False, 403)])
def test_a_token_outlives_its_key_while_that_is_named(
    api: ContractClient, replace_keys: Callable[..., None], is_named_key: bool, status: int
) -> None:
    replace_keys(naming_the_old=is_named_key)
    assert api.get("/api/notice").status_code == status


@pytest.mark.parametrize("is_named_key", [True, False])
def test_a_files_link_outlives_its_key_while_that_is_named(
    replace_keys: Callable[..., None], buyer: Buyer, now: datetime, is_named_key: bool
) -> None:
    signer = file_signer(buyer.uuid, buyer.session_version)
    name = signed_name(signer=signer, scope="MHW-1", storage_name=f"{'0' * 32}.pdf", now=now)
    replace_keys(naming_the_old=is_named_key)
    assert is_signed(name, scope="MHW-1", signers=[signer], now=now) is is_named_key
    assert not is_signed(name, scope="MHW-1", signers=["somebody else"], now=now)


def test_new_tokens_are_signed_with_the_new_key_alone(
    replace_keys: Callable[..., None], buyer: Buyer, now: datetime
) -> None:
    replace_keys(naming_the_old=True)
    token = tokens.encode(uuid=buyer.uuid, session_version=1, signed_in_at=now, now=now)
    replace_keys(naming_the_old=False)
    assert tokens.decode(token).uuid == buyer.uuid
