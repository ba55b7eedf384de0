"""Which brands a company sees: all, or those that are named and exist."""

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import Company
from apps.accounts.tests.factories import make_company
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import BrandAccess
from apps.catalog.services.access import set_visible_brands
from apps.catalog.tests.factories import make_brand
from apps.common.errors import Invalid

pytestmark = pytest.mark.django_db


def test_a_brand_that_is_unknown_beside_a_known_one_changes_nothing() -> None:
    company = make_company()
    with pytest.raises(Invalid):
        set_visible_brands(
            actor=staff_in(), company_id=company.pk, brand_ids=[make_brand().pk, 999_999]
        )
    assert not BrandAccess.objects.exists()
    assert not Company.objects.get(pk=company.pk).brands_restricted


def test_brands_are_for_those_who_may_give_them() -> None:
    with pytest.raises(PermissionDenied):
        set_visible_brands(actor=staff_in("Sales"), company_id=make_company().pk, brand_ids=None)
