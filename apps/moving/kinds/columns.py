"""The columns of customers and their people, and the countries and states in them."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from gettext import translation
from pathlib import Path
from typing import Any

import pycountry
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop as _, override

from apps.accounts.models import AddressEntry, Company, User, normalize_email
from apps.catalog.models import BrandAccess
from apps.catalog.services.dollars import DOLLAR, DOLLARS
from apps.catalog.sheet import Column, read_text, read_yes, with_headings
from apps.common.email_addresses import check_email
from apps.common.tables.cells import Cell, CellFault, currency_in, heading, number_of, text_of
from apps.common.texts import Text

COMPANY, EMAIL, PERSON, STOCK_FREE = "company", "email", "manager", "stock_free"
SHARE, BRANDS, TYPE = "deposit_rate", "brands", "business_type"
SHORT, STATE, NOTE = "short_name", "trading", "note"
PHONE, MOBILE, CODE, GROUP = "phone", "mobile", "code", "group"
WORDS: Mapping[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
ALL = frozenset({"all", "all brands", "*", "전체", "모두", "전브랜드", "전 브랜드", "전체 브랜드"})
BETWEEN = re.compile(r"\s*[;\n]\s*")
BETWEEN_COMMAS = re.compile(  # not in brackets
    r"(?:\s*[,;\n]\s*|\s*/\s*|(?<=[가-힣])\s+(?=[가-힣]))(?![^(（]*[)）])"
)
ALL_BRANDS = "all"
ONE = "1"  # a deposit share that is 1 % or 100 %
BESIDE_SHARE = re.compile(r"계약금|선입금|선금|선불|deposit|advance", re.IGNORECASE)
IN_FULL = frozenset({"전액", "full", "full payment", "all"})
NAMED_EMAIL = re.compile(r"[^<>@]*<([^<>]+)>")  # `Ann Lee <ann@rose.com>`


def email_of(cell: Cell) -> str:
    """Return an e-mail address as it is kept.

    Raises:
        CellFault: it is none.
    """
    text = re.sub(r"\s*@\s*", "@", text_of(cell).removeprefix("mailto:"))
    if match := NAMED_EMAIL.fullmatch(text):
        text = match[1]
    text = normalize_email(text)
    try:
        check_email(text)
    except ValidationError as error:
        raise CellFault(Text("“%(text)s” is not an e-mail address", text=text[:60])) from error
    return text


def _share(cell: Cell) -> str:
    """Return a share: `30%`, `30`, `0.3` and `계약금 30%` are thirty percent, `전액 선입금` is all.

    1 could be either and is returned as ONE, to be asked.

    Raises:
        CellFault: it is none.
    """
    text = BESIDE_SHARE.sub("", text_of(cell)).strip()
    if text.casefold() in IN_FULL:
        return "1.00"
    is_percent = text.endswith(("%", "％"))
    number = number_of(text.rstrip("%％ ") if is_percent else text or cell)
    assert number is not None
    if number == 1 and not is_percent:
        return ONE
    share = number / 100 if is_percent or number > 1 else number
    if not 0 <= share <= 1:
        raise CellFault(Text("“%(text)s” is not between 0 and 100 %%", text=text[:30]))
    if share != round(share, 2):
        raise CellFault(Text("“%(text)s” is not a whole percentage", text=text[:30]))
    return str(share.quantize(Decimal("0.01")))


def _brands(cell: Cell) -> str:
    text = text_of(cell.replace("\n", ";") if isinstance(cell, str) else cell)
    return ALL_BRANDS if text.casefold() in ALL else text


def brands_in(text: str, brands: Collection[str]) -> list[str]:
    """Return the brands that a text names; `brands` are those in small letters, whose names may
    hold a comma.
    """
    parts = [part.strip() for part in BETWEEN.split(text) if part.strip()]
    if any(part.casefold() not in brands for part in parts):
        parts = [part.strip() for part in BETWEEN_COMMAS.split(text) if part.strip()]
    return parts


def _column(title: str, most: int = 120, width: int = 18) -> Column:
    return Column(title, read_text(most), width)


def currency_of(cell: Cell) -> str:
    """Return US dollars as DOLLAR, another currency as it is written."""
    text = text_of(cell)
    is_dollar = currency_in(text) == DOLLAR or text.replace(" ", "").casefold() in DOLLARS
    return DOLLAR if is_dollar else text[:30]


CURRENCY_COLUMN = Column(_("Currency"), currency_of, also=WORDS["currency"])


def currency_fault(currency: str | None, others: Collection[str | None]) -> Text | None:
    """Return why the amounts of a row are not read: it says another currency, or none where
    `others` of the file do.
    """
    title = Text(CURRENCY_COLUMN.title)
    if currency and currency != DOLLAR:
        return Text("%(column)s: “%(cell)s” is not in US dollars", column=title, cell=currency)
    if not currency and set(others) - {DOLLAR, None}:
        return Text("%(column)s: it is missing", column=title)
    return None


COLUMNS: Mapping[str, Column] = with_headings(
    WORDS["people"],
    {
        COMPANY: _column(_("Company"), width=28),
        SHORT: _column(_("Short name")),
        CODE: _column(_("Customer code"), most=60),
        GROUP: _column(_("Group"), most=40),
        STATE: _column(_("Trading"), most=40),
        NOTE: Column(_("Remark"), read_text(500), 30),
        "tax_number": _column(_("Tax or EORI number"), most=40),
        TYPE: _column(_("Business type"), most=80),
        "country": _column(_("Country")),
        "state": _column(_("State or province"), most=120),
        "city": _column(_("City"), most=80),
        "address1": _column(_("Address"), width=32),
        "address2": _column(_("Address, more")),
        "zipcode": _column(_("Postcode"), most=20),
        PHONE: Column(_("Phone"), read_text(40)),
        "sales_channel": _column(_("Sales channel"), most=200),
        SHARE: Column(_("Deposit share"), _share),
        BRANDS: Column(_("Brands"), _brands, 28),
        PERSON: _column(_("Person"), most=200),
        EMAIL: Column(_("E-mail"), read_text(500), 30),
        MOBILE: _column(_("Mobile"), most=40),
        STOCK_FREE: Column(_("May order beyond stock"), read_yes),
        "ship_country": _column(_("Ship to: country")),
        "ship_state": _column(_("Ship to: state or province")),
        "ship_city": _column(_("Ship to: city"), most=80),
        "ship_zipcode": _column(_("Ship to: postcode"), most=20),
        "ship_address1": _column(_("Ship to: address"), width=32),
        "ship_address2": _column(_("Ship to: address, more")),
        "ship_phone": _column(_("Ship to: phone"), most=40),
    },
)
ONE_EMAIL = replace(COLUMNS[EMAIL], read=email_of)  # of who is there already
COMPANY_TEXTS = (
    *("tax_number", "short_name", "city", "address1", "address2", "zipcode", "phone"),
    "sales_channel",
)
PERSON_TEXTS = ("manager", "stock_free")
SHIP_TEXTS = ("ship_city", "ship_zipcode", "ship_address1", "ship_address2", "ship_phone")
OF_COMPANY = (*COMPANY_TEXTS, TYPE, "country", "state", SHARE, BRANDS)
OF_PERSON = (STOCK_FREE, *(name for name in COLUMNS if name.startswith("ship_")))
PRINTED = tuple(
    name for name in (COMPANY, *COMPANY_TEXTS, *SHIP_TEXTS) if name not in (SHORT, "sales_channel")
)


def values_of_company(company: Company) -> dict[str, Any]:
    """Return a company as the file has it."""
    brands = BrandAccess.objects.filter(company=company).values_list("brand__eng", flat=True)
    return {
        "company": company.name,
        **{name: getattr(company, name) for name in COMPANY_TEXTS},
        "country": company.country.content if company.country else "",
        "state": company.state.content if company.state else "",
        "business_type": company.business_type.type if company.business_type else "",
        "deposit_rate": str(company.deposit_rate) if company.deposit_rate is not None else "",
        "brands": "; ".join(sorted(brands)) if company.brands_restricted else ALL_BRANDS,
    }


def values_of_person(user: User) -> dict[str, Any]:
    """Return a person as the file has it."""
    return {
        "email": user.email,
        **{name: getattr(user, name) for name in (*PERSON_TEXTS, *SHIP_TEXTS)},
        "ship_country": user.ship_country.content if user.ship_country else "",
        "ship_state": user.ship_state.content if user.ship_state else "",
    }


def _key(text: str) -> str:
    return heading(text).replace(" ", "")


@cache
def _codes() -> dict[str, str]:
    """Return the codes of countries by their names, those that mean two left out."""
    korean = translation("iso3166-1", pycountry.LOCALES_DIR, languages=["ko"])
    by_code: dict[str, set[str]] = defaultdict(set)
    for country in pycountry.countries:
        names = [country.alpha_2, country.alpha_3]
        for name in ("name", "common_name", "official_name"):
            if english := getattr(country, name, ""):
                with override("ko"):  # as an export of ours names it
                    names += [english, korean.gettext(english), gettext(english)]
        names += WORDS["countries"].get(country.alpha_2, ())
        for name in names:
            by_code[_key(name)].add(country.alpha_2)
    return {name: codes.pop() for name, codes in by_code.items() if len(codes) == 1}


def country_of(text: str) -> AddressEntry | None:
    """Return the country of a name or code; None for none that is known."""
    countries = AddressEntry.objects.filter(parent__isnull=True)
    code = _codes().get(_key(text))
    return countries.filter(code=code).first() if code else None


def state_of(text: str, country: AddressEntry) -> AddressEntry | None:
    """Return a country's state of a name or code; None for none that is known, or for two."""
    key = _key(text)
    states = [
        state
        for state in country.states.all()
        if key in (_key(state.content), _key(state.code), _key(state.code.partition("-")[2]))
    ]
    return states[0] if len(states) == 1 else None
