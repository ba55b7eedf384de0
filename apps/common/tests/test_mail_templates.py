"""A filled template says what the engine would say."""

import pytest
from django.template.loader import render_to_string

from apps.common.mail import FILLED
from apps.common.mail_templates import Text

SHELL = {"title": "Maren & Holt", "site_url": "http://127.0.0.1:8000", "subject": "Order received: MHW-1"}
FACTS = [("Deposit", "$1,234.00"), ("Account <name>", 'O\'Neill & "Sons"'), ("Reference", "")]
CONTEXTS: list[dict[str, Text]] = [
    {"text": "Thank you.", "facts": FACTS, "quote": "", "link": "http://x/?a=1&b=2", **SHELL},
    {"text": "<b>{{ text }}</b>", "facts": [], "quote": "One\n\ue0000<\ue001 two", "link": "", **SHELL},
    {"text": "", "facts": FACTS[:1], "quote": "", "link": "http://x/", **SHELL, "title": "한빛 {% now 'Y' %}"},
]


@pytest.mark.parametrize("name", sorted(FILLED))
@pytest.mark.parametrize("context", CONTEXTS)
def test_a_filled_template_says_what_the_engine_says(name: str, context: dict[str, Text]) -> None:
    assert FILLED[name](context) == render_to_string(name, context)
    again = {**context, "subject": "Order confirmed: MHW-<2>"}
    assert FILLED[name](again) == render_to_string(name, again)
