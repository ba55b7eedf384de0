"""The approval of a registration with the brands that its company sees: one transaction over two
apps.
"""

from collections.abc import Sequence
from datetime import datetime

from apps.accounts.models import User
from apps.accounts.services.approval import approve
from apps.catalog.services.access import set_visible_brands
from apps.common.db.transactions import one_transaction


@one_transaction
def approve_with_brands(
    *,
    actor: User,
    user_id: int,
    company_id: int | None,
    stock_free: bool,
    brand_ids: Sequence[int] | None,
    subject: str,
    body: str,
    seen: str,
    now: datetime,
) -> User:
    """Approve a registration and set the brands that its company sees; None is all of them.

    A company that the person joins (`company_id`) keeps the brands that it has.

    Raises:
        PortalError: as `approve` and `set_visible_brands` have it; then nothing has happened.
    """
    user = approve(
        actor=actor,
        user_id=user_id,
        company_id=company_id,
        stock_free=stock_free,
        subject=subject,
        body=body,
        seen=seen,
        now=now,
    )
    if company_id is None and user.company_id is not None:
        set_visible_brands(actor=actor, company_id=user.company_id, brand_ids=brand_ids)
    return user
