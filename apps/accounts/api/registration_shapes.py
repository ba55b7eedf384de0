"""Bodies and answers of the registration's calls."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.api.serializers import (
    MAX_ADDRESS,
    MAX_CITY,
    MAX_PHONE,
    MAX_ZIPCODE,
    AddressEntry,
    EmailField,
    FiguresField,
    PasswordField,
    PrintedField,
    ShipFields,
    Shipping,
    TokenField,
)
from apps.common.http.serializers import Answer, OptionalIdField, Success, TextField

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


class AcceptedInvitation(serializers.Serializer):
    """The token of an invitation, the first password and its repetition, and the terms, with the
    version that was read.
    """

    token = TokenField(default="")
    password = PasswordField()
    passwordConfirm = PasswordField()
    terms = AcceptedField()
    terms_version = VersionField()
