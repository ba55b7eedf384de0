"""The columns of customers and their people."""

import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_noop as _

from apps.accounts.models import normalize_email
from apps.catalog.sheet import Column, read_yes
from apps.common.email_addresses import check_email
from apps.common.tables.cells import Cell, CellFault, number_of, text_of
from apps.common.texts import Text
from apps.moving.services.people import ALL_BRANDS

COMPANY, EMAIL, PERSON, STOCK_FREE = "company", "email", "manager", "stock_free"
SHARE, BRANDS, TYPE = "deposit_rate", "brands", "business_type"
SHORT, STATE, NOTE, POSITION = "short_name", "trading", "note", "position"
PHONE, MOBILE, DIAL, CODE, GROUP = "phone", "mobile", "dial", "code", "group"
BUYER = ("buyer", "바이어", "바이어명")  # a company, or its person beside one
MAILS = ("email", "e mail", "mail", "email address", "e-mail address", "이메일", "이메일 주소",
"메일",
         "메일 주소", "전자우편", "이메일주소")  # fmt: skip
ALL = frozenset({"all", "all brands", "*", "전체", "모두", "전브랜드", "전 브랜드", "전체 브랜드"})
BETWEEN = re.compile(r"\s*[;\n]\s*")
BETWEEN_COMMAS = re.compile(r"\s*[,;\n]\s*|\s*/\s*|(?<=[가-힣])\s+(?=[가-힣])")
NAMED_EMAIL = re.compile(r"[^<>@]*<([^<>]+)>")  # `Ann Lee <ann@rose.com>`


def read_text(most: int) -> Callable[[Cell], str]:
    """Return how a text of so many characters is read."""

    def read(cell: Cell) -> str:
        text = text_of(cell)
        if len(text) > most:
            raise CellFault(Text("longer than %(count)s characters", count=most))
        return text

    return read


def _people(cell: Cell) -> str:
    """Return what a cell says of people, whose lines are its parts."""
    lines = re.sub(r"\s*@\s*", "@", cell).strip().splitlines() if isinstance(cell, str) else ()
    return read_text(500)("; ".join(lines) if lines else cell)


def email_of(cell: Cell) -> str:
    """Return an e-mail address as it is kept.

    Raises:
        CellFault: it is none.
    """
    text = re.sub(r"\s*@\s*", "@", text_of(cell).removeprefix("mailto:"))
    if named := NAMED_EMAIL.fullmatch(text):
        text = named[1]
    text = normalize_email(text)
    try:
        check_email(text)
    except ValidationError as error:
        raise CellFault(Text("“%(text)s” is no e-mail address", text=text[:60])) from error
    return text


def _share(cell: Cell) -> str:
    """Return a share: `30%`, `30` and `0.3` are thirty percent.

    Raises:
        CellFault: it is none, or could be either like 1.
    """
    text = text_of(cell)
    is_percent = text.endswith(("%", "％"))
    number = number_of(text.rstrip("%％ ") if is_percent else cell)
    assert number is not None
    if number == 1 and not is_percent:
        raise CellFault(Text("1 may be 1 % or 100 %: write it with the sign"))
    share = number / 100 if is_percent or number > 1 else number
    if not 0 <= share <= 1:
        raise CellFault(Text("“%(text)s” is not between 0 and 100 %%", text=text[:30]))
    if share != round(share, 2):
        raise CellFault(Text("“%(text)s” is not a whole percentage", text=text[:30]))
    return str(share.quantize(Decimal("0.01")))


def _brands(cell: Cell) -> str:
    text = text_of(cell.replace("\n", ";") if isinstance(cell, str) else cell)
    return ALL_BRANDS if text.casefold() in ALL else text


def brands_in(text: str, known: Collection[str]) -> list[str]:
    """Return the brands that a text names; `known` are brands in small letters, whose names may
    hold a comma.
    """
    parts = [part.strip() for part in BETWEEN.split(text) if part.strip()]
    if any(part.casefold() not in known for part in parts):
        parts = [part.strip() for part in BETWEEN_COMMAS.split(text) if part.strip()]
    return parts


def _column(title: str, also: str, most: int = 120, width: int = 18) -> Column:
    return Column(title, tuple(also.split(", ")), read_text(most), width)


COLUMNS: Mapping[str, Column] = {
    COMPANY: _column(
        _("Company"),
        "company name, customer, customer name, distributor, buyer company, buyer name, "
        "거래처, 거래처명, 업체, 업체명, 회사, 회사명, 상호, 상호명, 법인명, 바이어사, "
        "상호 영문, 영문 상호, "
        "업체명 영문, 거래처명 영문, 회사명 영문, 고객사, 고객명, 고객, " + ", ".join(BUYER),
        width=28,
    ),
    SHORT: _column(
        _("Short name"),
        "alias, nickname, 약칭, 약어, 한글명, 한글 상호, 상호 한글, 국문명, 국문 상호, "
        "업체명 한글, 거래처명 한글, "
        "회사명 한글, 별칭, 통칭",
    ),
    CODE: _column(
        _("Customer code"), "code, customer code, 거래처코드, 거래처 번호, 업체코드, 고객코드, "
        "코드", most=60
    ),
    GROUP: _column(_("Group"), "구분, 거래처구분, 분류, customer type", most=40),
    STATE: _column(
        _("Trading"), "st, status, active, 상태, 거래상태, 거래여부, 거래 구분, 사용여부", most=40
    ),
    NOTE: Column(
        _("Remark"), ("note", "notes", "memo", "remarks", "비고", "메모", "특이사항"),
        read_text(500), 30,
    ),
    "tax_number": _column(
        _("Tax or EORI number"),
        "tax number, tax id, tax no, vat, vat no, vat number, eori, eori number, ein, 세금번호, "
        "납세자번호, 사업자번호, 사업자등록번호, 세금 또는 eori 번호",
        most=40,
    ),
    TYPE: _column(_("Business type"), "type of business, type, 업종, 업태, 거래처 유형", most=80),
    "country": _column(_("Country"), "nation, ctry, country region, 주소 국가명, 국가명, 국가, "
    "나라"),
    "state": _column(_("State or province"), "state, province, region, 주, 지역, 시도", most=120),
    "city": _column(_("City"), "town, 도시, 주소 도시, 시", most=80),
    "address1": Column(
        _("Address"),
        ("address 1", "address line 1", "street", "street address", "street bldg",
         "company address", "주소", "주소 상세", "주소 1", "회사 주소", "사업장 주소"),
        read_text(240),
        32,
    ),
    "address2": _column(_("Address, more"), "address 2, address line 2, 주소 2, 상세주소"),
    "zipcode": _column(
        _("Postcode"), "zip, zip code, zipcode, postal code, post code, 우편번호, 주소 우편, "
        "주소 우편번호, 우편", most=20
    ),
    PHONE: Column(
        _("Phone"),
        ("tel", "telephone", "phone number", "company phone", "tel no", "전화", "전화번호",
         "대표번호",
         "대표전화", "연락처"),
        read_text(40),
    ),
    DIAL: _column(_("Dialling code"), "dial code, country code, 전화 국가, 국가번호", most=8),
    "sales_channel": _column(_("Sales channel"), "channel, 판매채널, 유통채널", most=200),
    SHARE: Column(
        _("Deposit share"),
        ("deposit", "deposit %", "deposit rate", "예약금", "예약금 비율", "선금", "선금 비율",
         "계약금", "계약금 비율", "보증금 비율", "선수금", "선수금 비율"),
        _share,
    ),
    BRANDS: Column(
        _("Brands"),
        ("brand access", "visible brands", "allowed brands", "브랜드", "취급 브랜드",
         "공개 브랜드", "허용 브랜드"),
        _brands,
        28,
    ),
    PERSON: Column(
        _("Person"),
        ("contact", "contact person", "contact name", "name", "full name", "manager", "attn",
         "담당자", "담당자명", "담당자 이름", "성명", "성함", "이름", "담당"),
        _people,
        18,
    ),
    POSITION: _column(
        _("Position"), "title, job title, role, 직책, 직함, 직위, 직급", most=60
    ),
    EMAIL: Column(_("E-mail"), MAILS, _people, 30),
    MOBILE: Column(
        _("Mobile"),
        ("cell", "cell phone", "mobile phone", "hp", "휴대폰", "휴대전화", "핸드폰",
         "담당자 연락처",
         "담당자 전화"),
        _people,
    ),
    STOCK_FREE: Column(
        _("May order beyond stock"),
        ("stock free", "back orders", "재고 초과 주문", "재고 초과 주문 가능", "재고무관"),
        read_yes,
    ),
    "ship_country": _column(_("Ship to: country"), "ship country, shipping country, 배송 국가"),
    "ship_state": _column(
        _("Ship to: state or province"), "ship state, shipping state, 배송 주, 배송 지역"
    ),
    "ship_city": _column(_("Ship to: city"), "ship city, shipping city, 배송 도시", most=80),
    "ship_zipcode": _column(
        _("Ship to: postcode"),
        "ship zip, ship zipcode, shipping zip, shipping postcode, 배송 우편번호",
        most=20,
    ),
    "ship_address1": _column(
        _("Ship to: address"),
        "ship to, ship address, shipping address, delivery address, 배송지, 배송 주소, 배송지 주소",
        width=32,
    ),
    "ship_address2": _column(
        _("Ship to: address, more"), "ship address 2, shipping address 2, 배송 상세주소"
    ),
    "ship_phone": _column(
        _("Ship to: phone"), "ship phone, shipping phone, delivery phone, 배송 전화", most=40
    ),
}  # fmt: skip
ONE_EMAIL = Column(COLUMNS[EMAIL].title, MAILS, email_of, 30)  # of who is there already
OF_COMPANY = (
    *(
        "tax_number",
        SHORT,
        TYPE,
        "country",
        "state",
        "city",
        "address1",
        "address2",
        "zipcode",
        PHONE,
    ),
    *("sales_channel", SHARE, BRANDS),
)
OF_PERSON = (STOCK_FREE, *(name for name in COLUMNS if name.startswith("ship_")))
PRINTED = (
    *(COMPANY, "tax_number", "city", "address1", "address2", "zipcode", PHONE),
    *("ship_city", "ship_zipcode", "ship_address1", "ship_address2", "ship_phone"),
)
EXAMPLE = {
    COMPANY: "Example Beauty LLC (delete this row)",
    "tax_number": "12-3456789",
    TYPE: "Distributor",
    "country": "United States",
    "state": "California",
    "city": "Los Angeles",
    "address1": "1 Example Street",
    "zipcode": "90001",
    "phone": "+1 213 555 0100",
    SHARE: "30%",
    BRANDS: "all",
    PERSON: "Jane Example",
    EMAIL: "jane@example.com",
    STOCK_FREE: "no",
    "ship_country": "United States",
    "ship_state": "California",
    "ship_city": "Los Angeles",
    "ship_zipcode": "90001",
    "ship_address1": "1 Example Street",
    "ship_phone": "+1 213 555 0100",
}
