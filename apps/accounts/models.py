"""Companies, their users, addresses, registrations."""

import uuid
from typing import Any, ClassVar
from unicodedata import normalize

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower, Replace, StrIndex, Substr
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from apps.common.db.columns import moment_field, money_field
from apps.common.email_addresses import check_email
from apps.common.models import Event
from apps.common.names import NameField, bare_name
from apps.common.seller import seller

PHONE_MARKS = " +-()./"


def phone_digits(field: str) -> Any:
    """Return the expression of a telephone number without the marks that people write between its
    digits.
    """
    digits: Any = models.F(field)
    for mark in PHONE_MARKS:
        digits = Replace(digits, models.Value(mark), models.Value(""))
    return digits


def email_domain(field: str) -> Any:
    """Return the expression of what stands behind the @ of an e-mail address."""
    return Substr(field, StrIndex(field, models.Value("@")) + 1)


def normalize_email(email: str) -> str:
    """Return an e-mail address as it is stored: trimmed, lower case, NFC, its host in its own
    letters (`xn--bcher-kva.example` is `bücher.example`).
    """
    name, at, host = normalize("NFC", email.strip().lower()).rpartition("@")
    return name + at + ".".join(map(_in_own_letters, host.split(".")))


def _in_own_letters(label: str) -> str:
    if not label.startswith("xn--") or len(label) > 63:
        return label
    try:
        return label.encode("ascii").decode("idna")
    except UnicodeError:  # no name's other spelling
        return label


class MailboxField(models.EmailField):
    """An e-mail address that is stored and looked up in one spelling, whoever writes or asks."""

    def get_prep_value(self, value: Any) -> Any:
        """Return the address as it is stored."""
        value = super().get_prep_value(value)
        return normalize_email(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Let the instance have the address that is stored."""
        value = self.get_prep_value(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        """Return the address as it is stored, so that a form finds whom it belongs to."""
        return self.get_prep_value(super().clean(value, model_instance))


class AddressEntry(models.Model):
    """A country (no parent) or one of its states (ISO 3166-1, 3166-2)."""

    code = models.CharField(pgettext_lazy("country", "code"), max_length=10, unique=True)
    content = models.CharField(_("content"), max_length=120)
    parent = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="states",
        verbose_name=_("parent"),
    )

    class Meta:
        ordering = ("content",)
        verbose_name = _("address entry")
        verbose_name_plural = _("address entries")

    def __str__(self) -> str:
        return self.content if self.parent_id else gettext(self.content)


class ShippingAddress(models.Model):
    """Where the goods go. A state is optional. Nothing is looked up by either, so neither has an
    index.
    """

    ship_country = models.ForeignKey(
        AddressEntry, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    ship_state = models.ForeignKey(
        AddressEntry, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    ship_city = models.CharField(max_length=80, blank=True)
    ship_zipcode = models.CharField(max_length=20, blank=True)
    ship_address1 = models.CharField(max_length=120, blank=True)
    ship_address2 = models.CharField(max_length=120, blank=True)
    ship_phone = models.CharField(max_length=40, blank=True)

    class Meta:
        abstract = True


# The kinds of business that a portal begins with, marked to be translated.
BUSINESS_TYPES = (
    *(_("Distributor"), _("Wholesaler"), _("Online retailer"), _("Offline retailer")),
    *(_("Beauty salon or spa"), _("Pharmacy"), _("Other")),
)


class BusinessType(models.Model):
    """A kind of business that a company may choose when it registers."""

    type = models.CharField(max_length=80, unique=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "type")
        verbose_name = _("business type")
        verbose_name_plural = _("business types")

    def __str__(self) -> str:
        return gettext(self.type)


class PriceGroup(models.Model):
    """Companies that buy at prices and on terms of their own; -10.00 per cent is ten off.

    Single products' prices are the catalogue's (`PriceGroupItem`).
    """

    name = NameField(_("name"), max_length=80, unique=True)
    percent = models.DecimalField(
        _("percent"),
        max_digits=5,
        decimal_places=2,
        default=0,
        help_text=_("added to wholesale prices: -10 is ten per cent off"),
    )
    minimum_order = money_field(
        null=True,
        blank=True,
        verbose_name=_("minimum order $"),
        help_text=_("empty: that of the settings"),
    )
    deposit_rate = models.DecimalField(
        _("deposit share"),
        max_digits=3,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="share of an order's subtotal; empty: the house's",
    )

    class Meta:
        ordering = ("name",)
        verbose_name = _("price group")
        verbose_name_plural = _("price groups")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(percent__gte=-100), name="pricegroup_percent"
            ),
            models.CheckConstraint(
                condition=models.Q(minimum_order__isnull=True) | models.Q(minimum_order__gte=0),
                name="pricegroup_minimum_order",
            ),
            models.CheckConstraint(
                condition=models.Q(deposit_rate__isnull=True)
                | models.Q(deposit_rate__gte=0, deposit_rate__lte=1),
                name="pricegroup_deposit_rate",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Company(models.Model):
    """A distributor. Orders and wallet belong to it; every user of it sees them."""

    name = NameField(_("name"), max_length=120)
    short_name = models.CharField(
        _("short name"),
        max_length=60,
        blank=True,
        default="",
        db_default="",
        help_text=_("What the seller's own lists call it."),
    )
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    tax_number = models.CharField(
        _("tax or EORI number"), max_length=40, blank=True, default="", db_default=""
    )
    country = models.ForeignKey(
        AddressEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("country"),
    )
    state = models.ForeignKey(
        AddressEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=pgettext_lazy("address", "state"),
    )
    city = models.CharField(_("city"), max_length=80, blank=True)
    address1 = models.CharField(_("address1"), max_length=120, blank=True)
    address2 = models.CharField(_("address2"), max_length=120, blank=True)
    zipcode = models.CharField(_("zipcode"), max_length=20, blank=True)
    business_type = models.ForeignKey(
        BusinessType, models.PROTECT, null=True, blank=True, verbose_name=_("business type")
    )
    sales_channel = models.CharField(_("sales channel"), max_length=200, blank=True)
    is_open = models.BooleanField(
        _("is open"), default=True, help_text=_("A closed company's users cannot sign in.")
    )
    brands_restricted = models.BooleanField(
        _("brands restricted"), default=False, help_text=_("Sees only the brands it was given.")
    )
    deposit_rate = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="share of an order's subtotal; empty: the house's",
    )
    price_group = models.ForeignKey(
        PriceGroup,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="companies",
        verbose_name=_("price group"),
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        ordering = (bare_name("name"),)
        verbose_name = _("company")
        verbose_name_plural = _("companies")
        permissions = [("set_deposit_share", "Can set a company's deposit share")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(deposit_rate__isnull=True)
                | models.Q(deposit_rate__gte=0, deposit_rate__lte=1),
                name="company_deposit_rate",
            )
        ]
        indexes = [
            models.Index(bare_name("name"), name="company_bare_name"),
            models.Index(phone_digits("phone"), name="company_phone"),
        ]

    def __str__(self) -> str:
        return self.name


class CompanyEvent(Event):
    """What staff noted about a customer, changed of its terms or pasted for it, by whom. Never
    shown to a buyer.
    """

    class Kind(models.TextChoices):
        NOTE = "note", _("Internal note")
        DEPOSIT = "deposit", _("Deposit share")
        MESSAGE = "message", _("Message")

    company = models.ForeignKey(Company, models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta(Event.Meta):
        verbose_name = _("company event")
        verbose_name_plural = _("company events")

    def __str__(self) -> str:
        return f"{self.company}: {self.get_kind_display()}"


class CompanyAddress(ShippingAddress):
    """An address of a company's book: where its people have goods sent. The default is each buyer's
    own (`User`).
    """

    company = models.ForeignKey(Company, models.CASCADE, related_name="addresses", db_index=False)
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ("name", "id")
        verbose_name = _("address")
        verbose_name_plural = _("addresses")
        constraints = [
            models.UniqueConstraint("company", Lower("name"), name="companyaddress_name"),
            models.CheckConstraint(condition=~models.Q(name=""), name="companyaddress_named"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.name}"


class UserManager(BaseUserManager["User"]):
    """Makes users; the e-mail address is the name they sign in with."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a saved user with a hashed password."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a saved user who may do everything in admin."""
        rights = {"is_staff": True, "is_superuser": True, "approval": User.Approval.APPROVED}
        return self.create_user(
            email, password, **rights, **{"language": seller().staff_language, **fields}
        )

    def who_may_come_in(self) -> models.QuerySet["User"]:
        """Return the buyers who can sign in: active and approved, of an open company."""
        return self.filter(
            is_active=True,
            is_staff=False,
            approval=User.Approval.APPROVED,
            company__is_open=True,
        )

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user of an e-mail address, however it is written."""
        return self.get(email=username)


class User(AbstractBaseUser, PermissionsMixin, ShippingAddress):
    """A buyer of a company, with the shipping address to begin with, or a member of staff
    (`is_staff`, no company).
    """

    class Approval(models.TextChoices):
        PENDING = "pending", _("To decide")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    email = MailboxField(_("email"), max_length=254, unique=True, validators=[check_email])
    manager = NameField(_("name"), max_length=120)
    company = models.ForeignKey(
        Company,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="users",
        verbose_name=_("company"),
    )
    stock_free = models.BooleanField(
        _("stock free"), default=False, help_text=_("May order products that are out of stock.")
    )
    approval = models.CharField(
        _("approval"), max_length=10, choices=Approval, default=Approval.PENDING
    )
    approval_reason = models.TextField(_("approval reason"), blank=True)
    registered_at = moment_field(help_text="When the registration form was sent.")
    asked_at = moment_field(help_text="When staff asked for more; none once it came.")
    terms_accepted_at = moment_field()
    terms_version = models.PositiveIntegerField(
        null=True, blank=True, help_text="of the policy; 0 is the portal's own"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    decided_by = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    session_version = models.PositiveIntegerField(default=1, editable=False)
    # The seller's day on which a mail last told a buyer of offers
    offers_told_on = models.DateField(null=True, blank=True, editable=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(_("is staff"), default=False)
    language = models.CharField(
        max_length=2,
        choices=settings.LANGUAGES,
        blank=True,
        default="",
        db_default="",
        help_text="Of the staff's pages; empty: what the browser asks for.",
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["manager"]

    class Meta:
        ordering = ("email",)
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email"),
            models.CheckConstraint(
                condition=models.Q(is_staff=True) | models.Q(company__isnull=False),
                name="user_buyer_has_company",
            ),
        ]
        indexes = [
            models.Index(fields=["approval", "registered_at"], name="user_registered"),
            models.Index(email_domain("email"), name="user_domain"),
        ]

    def __str__(self) -> str:
        return self.email

    def get_full_name(self) -> str:
        """Return the person's name, as admin greets them."""
        return self.manager

    def get_short_name(self) -> str:
        """Return the person's name, as admin greets them."""
        return self.manager

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        # What ends a user's tokens (`end_sessions`) ends the sessions of staff too.
        own = super()._get_session_auth_hash(secret)  # type: ignore[misc]  # of the stubs
        return f"{own}{self.session_version}"


class Registration(User):
    """A buyer's registration, as the approvers list and decide it: the same row as the user."""

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        proxy = True
        default_permissions = ()  # whoever may change users decides

    def __str__(self) -> str:
        return str(self.company)


class EmailVerification(models.Model):
    """A mailed registration link: only the token's hash is kept; a sign-up uses it up.

    `user` is set on a link that asks for more: its sign-up fills that registration anew.
    """

    email = MailboxField(max_length=254)
    user = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="verifications"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = moment_field()

    class Meta:
        verbose_name = _("email verification")
        verbose_name_plural = _("email verifications")
        indexes = [models.Index(Lower("email"), name="verification_email")]

    def __str__(self) -> str:
        return self.email


class Invitation(models.Model):
    """The mailed link by which somebody whom staff added chooses a password: good for one use, and
    the last that was sent. Only the token's hash is kept.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="invitation")
    token_hash = models.CharField(max_length=64, unique=True)
    sent_at = models.DateTimeField()
    sent_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    expires_at = models.DateTimeField()
    opened_at = moment_field()
    accepted_at = moment_field()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return str(self.user)


class Certificate(models.Model):
    """A certificate uploaded under a registration link; private, known by a random stored name."""

    verification = models.ForeignKey(EmailVerification, models.PROTECT, related_name="certificates")
    user = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="certificates"
    )
    storage_name = models.CharField(max_length=80, unique=True)
    given_name = models.CharField(max_length=200)
    content_type = models.CharField(max_length=40)
    size = models.PositiveIntegerField(help_text="bytes")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("certificate")
        verbose_name_plural = _("certificates")

    def __str__(self) -> str:
        return self.given_name


class RegistrationEvent(Event):
    """A step of a registration, by whom (nobody: the buyer), with the mail that went with it."""

    class Kind(models.TextChoices):
        SENT = "sent", pgettext_lazy("registration step", "Sent")
        ASKED = "asked", _("Asked for more")
        SENT_AGAIN = "sent_again", pgettext_lazy("registration step", "Sent again")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Approval withdrawn")
        NOTE = "note", _("Note")
        PASSWORD_MAIL = "password_mail", _("Password mail")

    user = models.ForeignKey(User, models.PROTECT, related_name="registration_events")
    kind = models.CharField(max_length=20, choices=Kind)
    subject = models.CharField(max_length=200, blank=True)
    body = models.TextField(blank=True)

    class Meta(Event.Meta):
        verbose_name = _("registration event")
        verbose_name_plural = _("registration events")

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
