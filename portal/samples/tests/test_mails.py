"""The mails of a portal whose texts nobody changed: as recorded, to the byte."""

import json
from pathlib import Path

import pytest

from apps.common.mail import as_it_goes_out
from apps.common.mail_texts import EVERYWHERE, PLACE
from portal.samples.mails import KINDS, SAMPLES, example_order

RECORDED = json.loads(Path(__file__, "../recorded.json").resolve().read_text())


def test_every_mail_is_recorded_and_has_a_sample() -> None:
    keys = [kind.key for kind in KINDS]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(SAMPLES) == set(RECORDED)


@pytest.mark.parametrize("key", RECORDED)
def test_a_mail_that_nobody_changed_is_as_recorded(key: str) -> None:
    status, make = SAMPLES[key]
    email = as_it_goes_out(make(example_order(status)))
    expected = {"subject": email.subject, "text": email.message, "html": email.html_message}
    assert expected == RECORDED[key]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_a_mail_names_only_its_own_places(kind) -> None:
    places = set(PLACE.findall(kind.subject + kind.body))
    assert places <= {*EVERYWHERE, *kind.places}
    assert set(kind.needed) <= set(PLACE.findall(kind.body))
