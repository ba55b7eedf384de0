"""Who brings a parcel: the carriers that are known, and where each shows what became of a number."""

from urllib.parse import quote

from django.db import models


class Carrier(models.TextChoices):
    """A carrier; of another one nothing is known."""

    DHL = "dhl", "DHL Express"
    FEDEX = "fedex", "FedEx"
    UPS = "ups", "UPS"
    EMS = "ems", "EMS (Korea Post)"
    OTHER = "other", "Another carrier"


TRACKING = {
    Carrier.DHL: "https://www.dhl.com/global-en/home/tracking/tracking-express.html?submit=1&tracking-id={}",
    Carrier.FEDEX: "https://www.fedex.com/fedextrack/?trknbr={}",
    Carrier.UPS: "https://www.ups.com/track?tracknum={}",
    Carrier.EMS: "https://service.epost.go.kr/trace.RetrieveEmsRigiTraceList.comm?POST_CODE={}",
}


def tracking_link(carrier: str, number: str) -> str:
    """Return where a known carrier shows a tracking number, written with blanks or without; else empty."""
    address = TRACKING.get(Carrier(carrier)) if carrier else None
    return address.format(quote("".join(number.split()), safe="")) if address else ""


def carrier_name(carrier: str) -> str:
    """Return a carrier as buyers read it; empty where none is named."""
    return Carrier(carrier).label if carrier and carrier != Carrier.OTHER else ""
