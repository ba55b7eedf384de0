"""Loads the demo: accounts, catalogue, notices, pictures and three months of orders (readings, Demo
data).
"""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Group
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management.color import no_style
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import (
    AddressEntry,
    BusinessType,
    Certificate,
    Company,
    EmailVerification,
    RegistrationEvent,
    User,
)
from apps.accounts.selectors import token_hash
from apps.accounts.services.sign_up import LINK_LIFETIME, stored_path
from apps.catalog.models import (
    Brand,
    BrandAccess,
    Product,
    Promotion,
    PromotionItem,
    Stock,
)
from apps.common.days import midnight
from apps.common.models import BankAccount, Seller
from apps.common.seller import remember
from apps.common.storage.files import PDF, random_name
from apps.notices.models import Notice, NoticeFile
from apps.orders.models import Order
from portal.demo.history import play_stories
from portal.demo.pictures import pdf, write_pictures
from portal.demo.rows import (
    ACCOUNTS,
    BRANDS,
    COMPANIES,
    NOTICES,
    PRODUCTS,
    PROMOTION,
    PROMOTION_TITLE,
    REGISTRATIONS,
    address_columns,
    published_on,
)

PROMOTION_LIFETIME = timedelta(days=366)
PROMOTION_DAYS_AGO = 10
PUBLISHED_AT = time(10)
COPIED = (
    *("sku", "eng_name", "image", "is_running", "is_special", "usd_price", "usd_supply"),
    *("minimum", "weight_g", "hs_code", "ean"),
)


def is_empty() -> bool:
    """Return whether nobody has used this database yet."""
    return not any(
        model.objects.exists() for model in (User, Company, Brand, Product, Order, Notice)
    )


def load_demo() -> None:
    """Fill an empty database with the demo. All of it or nothing: a load that was cut off can
    simply be repeated.
    """
    now = timezone.now()
    write_pictures(PRODUCTS, storages["default"])
    with transaction.atomic():
        _load_seller()
        _load_catalogue(now)
        _load_accounts(now)
        load_registrations(now)
        _load_notices(now)
        play_stories(now=now)


def _load_seller() -> None:
    """Invent who sells, so that papers and the bank block are whole; its first day is over."""
    address = "12 Teheran-ro 4-gil, Gangnam-gu, Seoul 06232, Republic of Korea"
    Seller.objects.create(
        title="Maren & Holt",
        staff_language="en",
        invoice_prefix="MHW",
        shipper_name="Maren & Holt Co., Ltd.",
        shipper_address=address,
        shipper_phone="+82 2 555 0142",
        first_day=False,
    )
    BankAccount.objects.create(
        bank="Hanbit Bank, Seoul Main Branch",
        holder="Maren & Holt Co., Ltd.",
        account_number="110-0042-778210",
        routing_number="HBKRKRSE",
        address=address,
    )
    remember(None)  # the history is played with it


def _load_catalogue(now: datetime) -> None:
    Brand.objects.bulk_create(Brand(eng=name) for name in BRANDS)
    brands = {brand.eng: brand for brand in Brand.objects.all()}
    products = [
        Product(
            brand=brands[demo.brand],
            origin="KR",
            **{name: getattr(demo, name) for name in COPIED},
        )
        for demo in PRODUCTS
    ]
    for product in products:
        product.set_list_keys()
    Product.objects.bulk_create(products, batch_size=200)
    Brand.objects.recount_products(brand.pk for brand in brands.values())
    ids = dict(Product.objects.values_list("sku", "id"))
    Stock.objects.bulk_create(
        Stock(product_id=ids[demo.sku], on_hand=demo.on_hand) for demo in PRODUCTS
    )
    today = midnight(timezone.localdate(now))
    promotion = Promotion.objects.create(
        name=PROMOTION_TITLE,
        starts_at=today - timedelta(days=PROMOTION_DAYS_AGO),
        ends_at=today + PROMOTION_LIFETIME,
    )
    PromotionItem.objects.bulk_create(
        PromotionItem(
            promotion=promotion,
            product_id=ids[item.sku],
            price=item.usd_supply and Decimal(item.usd_supply),
        )
        for item in PROMOTION
    )


def _load_accounts(now: datetime) -> None:
    places = dict(AddressEntry.objects.values_list("code", "id"))
    companies = {}
    for demo in COMPANIES:
        companies[demo.name] = Company.objects.create(
            name=demo.name,
            business_type=BusinessType.objects.get(type=demo.business_type),
            sales_channel=demo.sales_channel,
            brands_restricted=bool(demo.brands),
            **address_columns(demo.address, places),
        )
        BrandAccess.objects.bulk_create(
            BrandAccess(company=companies[demo.name], brand=brand)
            for brand in Brand.objects.filter(eng__in=demo.brands)
        )
    addresses = {demo.name: demo.address for demo in COMPANIES}
    approver = None
    for account in sorted(ACCOUNTS, key=lambda account: account.group != "Approvers"):
        fields: dict[str, Any] = {"is_staff": True, "is_superuser": account.superuser}
        if account.company:
            address = address_columns(addresses[account.company], places, prefix="ship_")
            fields = {
                "company": companies[account.company],
                "stock_free": account.stock_free,
                **address,
            }
            if account.approved:
                fields |= {"decided_at": now, "decided_by": approver}
        user = User.objects.create_user(
            account.email,
            account.password,
            manager=account.manager,
            approval=User.Approval.APPROVED if account.approved else User.Approval.PENDING,
            **fields,
        )
        if account.group:
            user.groups.add(Group.objects.get_or_create(name=account.group)[0])
        approver = approver or user


def _load_notices(now: datetime) -> None:
    author = User.objects.filter(groups__name="Sales").first()
    zone = timezone.get_default_timezone()
    for demo in NOTICES:
        day = published_on(demo, today=timezone.localdate(now, zone))
        window = [
            datetime.fromisoformat(at).replace(tzinfo=zone) if at else None
            for at in (demo.popup_from, demo.popup_until)
        ]
        Notice.objects.create(
            id=demo.notice_id,
            title=demo.title,
            content=demo.html,
            published_at=datetime.combine(day, PUBLISHED_AT, zone).astimezone(UTC),
            popup_from=window[0],
            popup_until=window[1],
            author=author,
        )
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Notice]):
            cursor.execute(statement)  # the ids were given here: the next one must come after them
    for demo in NOTICES:
        for file in demo.files:
            content = pdf(file["title"], file["lines"])
            row = NoticeFile.objects.create(
                notice_id=demo.notice_id,
                title=file["name"],
                storage_name=random_name(PDF),
                content_type=PDF.content_type,
                size=len(content),
            )
            storages["private"].save(row.path, ContentFile(content))


PENDING_EMAIL = "pending@demo.test"
FORM_TIME = timedelta(minutes=25)  # between the link and the form
REQUEST_AFTER = timedelta(hours=5)


# Maple & Moss itself is one of the accounts, with its password; this came with its registration.
PENDING_HOURS_AGO, PENDING_CERTIFICATE = 20.0, "Business licence Maple & Moss.pdf"


def load_registrations(now: datetime) -> None:
    """Add the waiting registrations; the accounts are there already."""
    places = dict(AddressEntry.objects.values_list("code", "id"))
    types = dict(BusinessType.objects.values_list("type", "id"))
    approver = User.objects.filter(groups__name="Approvers").first()
    for demo in REGISTRATIONS:
        registered_at = now - timedelta(hours=demo.hours_ago)
        company = Company.objects.create(
            name=demo.company,
            business_type_id=types[demo.business_type],
            sales_channel=demo.sales_channel,
            **address_columns(demo.address, places),
        )
        user = User.objects.create_user(
            demo.email,
            manager=demo.manager,
            company=company,
            registered_at=registered_at,
            terms_accepted_at=registered_at,
            asked_at=registered_at + REQUEST_AFTER if demo.asked else None,
            **address_columns(demo.address, places, prefix="ship_"),
        )
        _verified(user, registered_at, demo.certificate, demo.company)
        if demo.asked:
            user.registration_events.create(
                kind=RegistrationEvent.Kind.ASKED,
                at=registered_at + REQUEST_AFTER,
                actor=approver,
                note=demo.asked,
            )
    pending = User.objects.select_related("company").get(email=PENDING_EMAIL)
    pending.registered_at = pending.terms_accepted_at = now - timedelta(hours=PENDING_HOURS_AGO)
    pending.save(update_fields=["registered_at", "terms_accepted_at"])
    company_name = pending.company.name if pending.company else ""
    _verified(pending, pending.registered_at, PENDING_CERTIFICATE, company_name)


def _verified(user: User, registered_at: datetime, name: str, company: str) -> None:
    """Add the used link by which the form came, its certificate and its place in the history."""
    link = EmailVerification.objects.create(
        email=user.email,
        token_hash=token_hash(f"demo {user.email}"),
        expires_at=registered_at - FORM_TIME + LINK_LIFETIME,
        used_at=registered_at,
    )
    EmailVerification.objects.filter(pk=link.pk).update(created_at=registered_at - FORM_TIME)
    user.registration_events.create(kind=RegistrationEvent.Kind.SENT, at=registered_at)
    if not name:
        return
    lines = [
        f"Company: {company}",
        f"Managing director: {user.manager}",
        f"Registered since: {registered_at.year - 6}",
        f"Number: {registered_at:%y%m%d}-4471",
        "Purpose: trade in cosmetics and personal care",
        "",
        "This extract is part of a demonstration and certifies nothing.",
    ]
    content = pdf("Certificate of registration", lines)
    certificate = Certificate.objects.create(
        verification=link,
        user=user,
        storage_name=random_name(PDF),
        given_name=name,
        content_type=PDF.content_type,
        size=len(content),
    )
    Certificate.objects.filter(pk=certificate.pk).update(uploaded_at=registered_at)
    storages["private"].save(stored_path(certificate.storage_name), ContentFile(content))
