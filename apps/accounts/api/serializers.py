"""Bodies and answers of the calls of the session, of addresses and of the registration."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.rules import MAX_PASSWORD
from apps.accounts.selectors import address_book
from apps.common.email_addresses import MAX_EMAIL, check_email
from apps.common.http.serializers import (
    Answer,
    FlagField,
    OptionalIdField,
    Success,
    TextField,
    WholeNumberField,
)
from apps.common.ids import MAX_ID
from apps.common.printed import PRINTED, usual_width

UNKNOWN_COUNTRY = "Unknown country."
UNKNOWN_STATE = "Unknown state of this country."
MAX_CITY, MAX_ADDRESS, MAX_ZIPCODE, MAX_PHONE = 80, 120, 20, 40


class PasswordField(serializers.CharField):
    """A password: never trimmed, never changed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=MAX_PASSWORD, trim_whitespace=False, allow_blank=True, **options
        )

    def to_internal_value(self, data: Any) -> str:
        """Refuse what is not text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(data)


class EmailField(TextField):
    """An e-mail address that mails reach; absent and empty are none, which the rules refuse in
    words of their own.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_EMAIL, default="", **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Refuse what is no address, once it is text and short enough to look at."""
        value = super().run_validation(data)
        if value:
            check_email(value)
        return value


class PrintedField(TextField):
    """A text that stands on invoices. Its service refuses what they cannot print, because that
    alone knows what stands there already.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(default="", help_text=PRINTED, **options)


class FiguresField(PrintedField):
    """A telephone number or a zip code, in signs of usual width."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text with wide digits as usual ones."""
        return usual_width(super().to_internal_value(data))


class Login(serializers.Serializer):
    """E-mail address and password."""

    email = TextField(max_length=MAX_EMAIL, allow_blank=True)
    password = PasswordField()


@extend_schema_field({"type": "string"})
class TokenField(serializers.Field):
    """Anything: what is not a good token is an outcome, not a fault of the body."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Read null as no token."""
        return super().run_validation("" if data is None else data)

    def to_internal_value(self, data: Any) -> str:
        """Return the text; an empty one for anything else."""
        return data if isinstance(data, str) else ""

    def to_representation(self, value: Any) -> str:
        """Return the token."""
        return str(value)


class Check(serializers.Serializer):
    """The stored token."""

    token = TokenField(default="", allow_null=True)


class Shipping(serializers.Serializer):
    """The ship fields, as a body. Empty values are allowed; a country or state that is given must
    be known.
    """

    prefixes: ClassVar[Sequence[str]] = ("ship_",)  # of the addresses in it
    ship_country = OptionalIdField()
    ship_state = OptionalIdField()
    ship_city = PrintedField(max_length=MAX_CITY)
    ship_zipcode = FiguresField(max_length=MAX_ZIPCODE)
    ship_address1 = PrintedField(max_length=MAX_ADDRESS)
    ship_address2 = PrintedField(max_length=MAX_ADDRESS)
    ship_phone = FiguresField(max_length=MAX_PHONE)

    def validate(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check countries and states against the tree of addresses."""
        for prefix in self.prefixes:
            country, state = attrs[f"{prefix}country"], attrs[f"{prefix}state"]
            if country is not None and not address_book.is_below(None, country):
                raise serializers.ValidationError({f"{prefix}country": [UNKNOWN_COUNTRY]})
            if state is not None and (country is None or not address_book.is_below(country, state)):
                raise serializers.ValidationError({f"{prefix}state": [UNKNOWN_STATE]})
        return attrs


class ShipFields(Answer):
    """The ship fields, as an answer."""

    ship_country: int | None
    ship_state: int | None
    ship_city: str
    ship_zipcode: str
    ship_address1: str
    ship_address2: str
    ship_phone: str


class User(ShipFields):
    """The signed-in buyer with the default shipping address."""

    uuid: str
    company_id: int
    company: str
    manager: str
    email: str
    stock_free: FlagField
    minimum_order: Annotated[Decimal, "**+** least subtotal of an order, US dollars; 0: none"]


class SignedIn(Success):
    """1 with token and user; -1 and -2 alone."""

    token = serializers.CharField(required=False)
    user = User(required=False)


class NewPassword(serializers.Serializer):
    """A new password, its repetition, and whose it is: the company of the caller."""

    password = PasswordField()
    passwordConfirm = PasswordField()
    company_id = WholeNumberField(min_value=1, max_value=MAX_ID)


class PasswordChanged(Success):
    """1 with the token that goes on; older ones have ended."""

    token: str


class AddressEntry(Answer):
    """A country or a state."""

    address_id = serializers.IntegerField(source="pk")
    content: str


class FindState(serializers.Serializer):
    """The country whose states are wanted."""

    address_id = WholeNumberField(min_value=1, max_value=MAX_ID)


class StateList(Success):
    """A country's states by name; empty where there are none."""

    stateList: list[AddressEntry]


MAX_COMPANY, MAX_MANAGER, MAX_SALES_CHANNEL = 120, 120, 200
MAX_FILE_NAME = 80


class EmailCheck(serializers.Serializer):
    """The address that wants to register."""

    email = EmailField()


class BusinessType(Answer):
    """A kind of business that may be chosen."""

    type_id = serializers.IntegerField(source="pk")
    type: str


class FilledIn(ShipFields):
    """A registration as it was sent, for the link that asks for more; never a password."""

    company: str
    manager: str
    phone: str
    country: int | None
    state: int | None
    city: str
    address1: str
    address2: str
    zipcode: str
    business_type: int | None
    sales_channel: str
    certificate_files: str
    certificate_name: str


class RegistrationForm(Success):
    """1 with what the form needs; -1 alone for a link that opens none."""

    email = serializers.CharField(required=False)
    country = AddressEntry(many=True, required=False)
    businessType = BusinessType(many=True, required=False)
    registration = FilledIn(required=False, allow_null=True)
    message = serializers.CharField(required=False)


class Upload(serializers.Serializer):
    """A certificate, for the address and the token of a registration link."""

    certificate_files = serializers.FileField(allow_empty_file=True)
    email = EmailField()
    token = TokenField(default="")


class Uploaded(Success):
    """1 with the name that the sign-up gives back."""

    file_name: str


@extend_schema_field({"type": ["boolean", "integer"], "enum": [True, 1]})
class AcceptedField(serializers.Field):
    """A tick: true or 1. Absent or anything else is no tick, which the rules refuse beside what
    else is missing.
    """

    def run_validation(self, data: Any = serializers.empty) -> bool:
        """Return whether the tick is given."""
        return data is True or (type(data) is int and data == 1)

    def to_representation(self, value: Any) -> bool:
        """Return the tick."""
        return bool(value)


class VersionField(serializers.IntegerField):
    """Which version of the terms was read; empty where the caller does not say."""

    def __init__(self, **options: Any) -> None:
        options = {"required": False, "allow_null": True, "default": None, **options}
        super().__init__(min_value=0, max_value=2**31 - 1, **options)


class SignUp(Shipping):
    """The registration form. What is missing is empty: the rules of section 5 say what
    must not be.
    """

    prefixes = ("", "ship_")
    email = EmailField()
    token = TokenField(default="")
    password = PasswordField(default="")
    confirm_password = PasswordField(default="")
    company = PrintedField(max_length=MAX_COMPANY)
    manager = PrintedField(max_length=MAX_MANAGER)
    phone = FiguresField(max_length=MAX_PHONE)
    country = OptionalIdField()
    state = OptionalIdField()
    city = PrintedField(max_length=MAX_CITY)
    address1 = PrintedField(max_length=MAX_ADDRESS)
    address2 = PrintedField(max_length=MAX_ADDRESS)
    zipcode = FiguresField(max_length=MAX_ZIPCODE)
    business_type = OptionalIdField()
    sales_channel = TextField(max_length=MAX_SALES_CHANNEL, default="")
    certificate_files = TextField(max_length=MAX_FILE_NAME, default="")
    terms = AcceptedField()
    terms_version = VersionField()


class ResetPassword(serializers.Serializer):
    """The token of a reset link, a new password and its repetition."""

    token = TokenField(default="")
    password = PasswordField()
    passwordConfirm = PasswordField()


class Invitation(Success):
    """1 with whom an invitation is for; -1 for a link that is not good any more."""

    email = serializers.CharField(required=False)
    manager = serializers.CharField(required=False)
    company = serializers.CharField(required=False)


class AcceptedInvitation(ResetPassword):
    """The token of an invitation, the first password and its repetition, and the terms, with the
    version that was read.
    """

    terms = AcceptedField()
    terms_version = VersionField()
