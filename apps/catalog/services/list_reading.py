"""Reads long lists in the background: one a turn, so that mails and payments are not kept waiting
by several.
"""

import io
import time
from datetime import datetime

from django.db.models import F
from django.utils import timezone

from apps.accounts.selectors import Buyer, identify
from apps.catalog.lists.as_json import json_of_read
from apps.catalog.lists.columns import said_of_json
from apps.catalog.lists.order_list import Progress
from apps.catalog.models import ListInHand
from apps.catalog.review.message import read_message
from apps.catalog.selectors import read_list
from apps.catalog.services.list_layouts import settle_layouts
from apps.catalog.services.lists_in_hand import LARGE, PENDING, State, stored_list
from apps.common.errors import NotFound
from apps.common.tables.spreadsheets import SpreadsheetRefused, estimated_rows
from apps.common.types import Json

TRIES = 3
TELL_SECONDS = 1.0
GAVE_UP = "This list could not be read, several times over. Send it in parts, or write to us."
GONE = "The file is not there any more. Send it again."


class _Stopped(Exception):
    """The list was dropped while it was read, or is to be read otherwise."""


class _Told(Progress):
    """Notes on a list how far its reading is, about once a second, and stops one that nobody waits
    for.
    """

    def __init__(self, kept: ListInHand) -> None:
        self.of = ListInHand.objects.filter(pk=kept.pk, state=State.READING)
        self.told_at = time.monotonic()

    def rows(self, count: int) -> None:
        """Note how many rows are there so far."""
        if time.monotonic() - self.told_at >= TELL_SECONDS:
            self.told_at = time.monotonic()
            self._note(rows_read=count)

    def products(self) -> None:
        """Note that all rows are there."""
        self._note(rows_read=F("rows"), state=State.LOOKING_UP)

    def _note(self, **changes: object) -> None:
        if not self.of.update(**changes):
            raise _Stopped


def read_waiting(now: datetime) -> int:
    """Read the list that waits longest, and return 1; 0 where none waits.

    One whose worker died is taken up again, behind the others; one that ends its worker again and
    again is given up.
    """
    pending = ListInHand.objects.filter(state__in=PENDING).select_related("user").defer(*LARGE)
    kept = pending.order_by("tries", "id").first()
    if kept is None:
        return 0
    buyer = identify(kept.user.uuid)
    if kept.tries >= TRIES or buyer is None:
        _refuse(kept, GAVE_UP)
    else:
        _read(kept, buyer)
    return 1


def _read(kept: ListInHand, buyer: Buyer) -> None:
    """Read a list, and let it wait for its review or say why it cannot be read."""
    try:
        content = stored_list(kept)
        begun = {"state": State.READING, "tries": F("tries") + 1, "rows_read": 0}
        rows = estimated_rows(io.BytesIO(content), all_sheets=True)
        ListInHand.objects.filter(pk=kept.pk, state__in=PENDING).update(rows=rows, **begun)
        _finish(kept, _content_read(kept, buyer, content))
    except NotFound:
        _refuse(kept, GONE)
    except SpreadsheetRefused as refusal:
        _refuse(kept, refusal.text)
    except _Stopped:
        return


def _content_read(kept: ListInHand, buyer: Buyer, content: bytes) -> Json:
    """Return what was read of a list.

    Raises:
        SpreadsheetRefused: it cannot be read, or asks for nothing; a long text that is no table is
        refused as such. _Stopped: nobody waits for it any more.
    """
    said = said_of_json(kept.said)
    read_message(buyer=buyer, content=content, name=kept.name)
    read = read_list(buyer=buyer, content=content, name=kept.name, said=said, progress=_Told(kept))
    if said:
        settle_layouts(read.columns, buyer=buyer, said=said, now=timezone.now())
    return json_of_read(read)


def _finish(kept: ListInHand, read: Json) -> None:
    done = {"state": State.READY, "read": read, "remark": "", "tries": 0}
    ListInHand.objects.filter(pk=kept.pk, state=State.LOOKING_UP).update(**done)


def _refuse(kept: ListInHand, text: str) -> None:
    """Say why a list cannot be read. What was read of it before stays, and can be read
    otherwise.
    """
    pending = ListInHand.objects.filter(pk=kept.pk, state__in=PENDING)
    remark = {"remark": text[:300], "tries": 0}
    if not pending.filter(read__isnull=False).update(state=State.READY, said=[], **remark):
        pending.update(state=State.REFUSED, **remark)
