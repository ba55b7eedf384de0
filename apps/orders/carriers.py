"""Who brings a parcel: the carriers that are known, what their numbers look like, and where each
shows one's way.
"""

import re
from urllib.parse import quote

from django.db import models
from django.utils.translation import gettext_lazy

from apps.common.texts import phrase
from apps.common.types import Label


class Carrier(models.TextChoices):
    """A carrier; of another one nothing is known."""

    DHL = "dhl", "DHL Express"
    FEDEX = "fedex", "FedEx"
    UPS = "ups", "UPS"
    EMS = "ems", "EMS (Korea Post)"
    OTHER = "other", gettext_lazy("Another carrier")


TRACKING: dict[str, str] = {
    Carrier.DHL: (
        "https://www.dhl.com/global-en/home/tracking/tracking-express.html?submit=1&tracking-id={}"
    ),
    Carrier.FEDEX: "https://www.fedex.com/fedextrack/?trknbr={}",
    Carrier.UPS: "https://www.ups.com/track?tracknum={}",
    Carrier.EMS: "https://service.epost.go.kr/trace.RetrieveEmsRigiTraceList.comm?POST_CODE={}",
}
# How a number is written, without blanks, and how that is told.
NUMBERS: dict[str, tuple[re.Pattern[str], Label]] = {
    Carrier.DHL: (re.compile(r"\d{10}|J(JD|D|VGL)[0-9A-Z]{8,32}"), gettext_lazy("10 digits")),
    Carrier.FEDEX: (re.compile(r"\d{12}|\d{15}|\d{20}|\d{22}"), gettext_lazy("12 or 15 digits")),
    Carrier.UPS: (
        re.compile(r"1Z[0-9A-Z]{16}|\d{9}|\d{12}|T\d{10}"),
        gettext_lazy("1Z and 16 letters or digits"),
    ),
    Carrier.EMS: (
        re.compile(r"[A-Z]{2}\d{9}[A-Z]{2}"),
        gettext_lazy("two letters, 9 digits, two letters"),
    ),
}


def number_fault(carrier: str, number: str) -> str:
    """Return why a number is none of a known carrier; empty where it may be one."""
    if carrier not in NUMBERS:
        return ""
    pattern, form = NUMBERS[carrier]
    if pattern.fullmatch("".join(number.split()).upper()):
        return ""
    return phrase(
        "A %(carrier)s number has %(form)s. Check it, or choose “%(other)s”.",
        carrier=Carrier(carrier).label,
        form=form,
        other=Carrier.OTHER.label,
    )


def tracking_link(carrier: str, number: str) -> str:
    """Return where a known carrier shows a tracking number, written with blanks or without; else
    empty.
    """
    return TRACKING.get(carrier, "").format(quote("".join(number.split()), safe=""))


def carrier_name(carrier: str) -> str:
    """Return a carrier as buyers read it; empty where none is named."""
    return str(Carrier(carrier).label) if carrier and carrier != Carrier.OTHER else ""
