"""Changes of what the seller set."""

from typing import Any

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.models import Seller
from apps.common.permissions import needs
from apps.common.seller import touch_seller
from portal.staff.seller.forms import SettingsForms


@needs("common.change_seller")
@one_transaction
def change_seller(*, actor: User, data: Any, files: Any) -> SettingsForms:
    """Save what was sent where all of it is right, while nobody else changes the seller; return it
    as it was read.
    """
    Seller.objects.get_or_create()
    Seller.objects.select_for_update().get()
    forms = SettingsForms(data, files)
    if forms.is_valid():
        forms.save()
        touch_seller()
    return forms
