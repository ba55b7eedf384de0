"""A portal with PayPal switched off names it in no call, mail or paper; test_every_page looks at
staff's pages.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.test import Client

from apps.common.mail import as_it_goes_out
from apps.common.testing import ContractClient
from apps.orders.models import OrderDocument
from apps.orders.services.documents import open_document
from apps.orders.tests.document_files import words_of
from apps.payments.tests.factories import arrive, make_announced_balance
from portal.samples.mails import SAMPLES, example_order
from portal.tests.calls import CALLS, answer_to, token_of
from portal.tests.reliability.world import make_side

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _wires_alone(settings: Any) -> None:
    """With an account, the page Settings alone names what it can switch on."""
    settings.PAYPAL_CLIENT_ID = ""


def text_of(content: bytes) -> str:
    """Return what a page, an answer or a file says."""
    if content.startswith(b"%PDF"):
        return words_of(content)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            return "".join(parts.read(name).decode(errors="ignore") for name in parts.namelist())
    return content.decode(errors="replace")


def naming(responses: Iterable[tuple[Any, bytes]]) -> dict[Any, str]:
    """Return what names PayPal, with the words around it."""
    addresses = {}
    for what, content in responses:
        text = text_of(content)
        if (at := text.lower().find("paypal")) >= 0:
            addresses[what] = text[max(0, at - 60) : at + 60]
    return addresses


def test_no_answer_of_a_call_names_it() -> None:
    side = make_side("Own")
    client = ContractClient().sign_in(token_of(side.buyer))
    assert naming((call, answer_to(client, call, side.ids).getvalue()) for call in CALLS) == {}
    shell = Client().get("/login").getvalue()
    assert naming([("config", client.get("/api/config").getvalue()), ("page", shell)]) == {}


def test_no_mail_and_no_paper_names_it(buyer: Any) -> None:
    def responses_of() -> Iterator[tuple[str, bytes]]:
        for key, (status, make) in SAMPLES.items():
            email = as_it_goes_out(make(example_order(status)))
            yield key, f"{email.subject} {email.message} {email.html_message}".encode()
        for document in OrderDocument.objects.all():
            yield document.title, open_document(document=document, now=document.uploaded_at).read()

    arrive(make_announced_balance(buyer))
    make_side("Own")
    assert OrderDocument.objects.filter(title__startswith="Receipt").exists()
    assert OrderDocument.objects.filter(title__startswith="Proforma").exists()
    assert naming(responses_of()) == {}
