"""A buyer asks for a colleague, staff approve in one press, and the invitation goes out."""

from post_office.models import Email

from apps.accounts.models import RegistrationEvent, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_user
from apps.accounts.tests.staff import staff_client
from apps.common.testing import ContractClient

URL = "/api/account/colleagues"
ADA = {"manager": "Ada Nowak", "email": "Ada@Glow.test"}
Approval = User.Approval


def ask(api: ContractClient, **fields: str) -> tuple[int, dict[str, list[str]]]:
    answer = api.send("POST", URL, ADA | fields)
    return answer.status_code, answer.json().get("errors", {})


def asked(email: str = "ada@glow.test") -> User:
    return User.objects.get(email=email)


def test_a_colleague_waits_for_staff_with_no_more_than_the_inviter_has(
    api: ContractClient, buyer: Buyer
) -> None:
    assert ask(api) == (200, {})
    user = asked()
    assert (user.company_id, user.approval) == (buyer.company_id, Approval.PENDING)
    assert user.stock_free is False
    assert not user.has_usable_password()
    assert user.registration_events.get().actor_id == buyer.id
    assert Email.objects.get().subject.startswith("New colleague: ")
    people = api.get(URL).json()["colleagues"]
    assert {one["email"]: one["is_waiting"] for one in people} == {
        buyer.email: False,
        "ada@glow.test": True,
    }


def test_a_known_address_is_refused_in_the_same_words_whosever_it_is(
    api: ContractClient, buyer: Buyer
) -> None:
    for email in (buyer.email, make_buyer().email, make_user(is_staff=True, company=None).email):
        known_error = {"email": ["This email has already been subscribed."]}
        assert ask(api, email=email) == (400, known_error)
    assert ask(api, email="no address")[0] == ask(api, email="")[0] == 400
    assert ask(api, manager="王")[1].keys() == {"manager"}
    assert not RegistrationEvent.objects.exists()


def test_five_requests_of_a_company_wait_at_most(api: ContractClient, buyer: Buyer) -> None:
    assert [ask(api, email=f"{number}@glow.test")[0] for number in range(6)] == [200] * 5 + [400]


def test_one_press_approves_and_invites(api: ContractClient, buyer: Buyer) -> None:
    ask(api)
    Email.objects.all().delete()
    staff, user = staff_client("Approvers"), asked()
    assert "Colleague" in staff.get("/admin/accounts/registration/").text
    page = f"/admin/accounts/registration/{user.pk}/"
    text = staff.get(f"{page}change/").text
    assert "Approve and invite" in text
    assert "verified" not in text
    for _ in range(2):
        staff.post(f"{page}colleague/", {"decision": "approve"})
    user.refresh_from_db()
    assert (user.approval, user.company_id) == (Approval.APPROVED, buyer.company_id)
    assert [mail.to for mail in Email.objects.all()] == [["ada@glow.test"]]
    kinds = user.registration_events.order_by("pk").values_list("kind", flat=True)
    assert [*kinds] == ["sent", "approved", "password_mail"]


def test_a_declined_colleague_may_register(api: ContractClient) -> None:
    ask(api)
    Email.objects.all().delete()
    staff = staff_client("Approvers")
    page = f"/admin/accounts/registration/{asked().pk}/colleague/"
    assert staff.post(page, {"decision": "later"}).status_code == 400
    assert asked().approval == Approval.PENDING
    staff.post(page, {"decision": "decline"})
    assert (asked().approval, Email.objects.count()) == (Approval.REJECTED, 0)
    assert [one["email"] for one in api.get(URL).json()["colleagues"]] != ["ada@glow.test"]


def test_who_registered_is_not_approved_without_the_letter(buyer: Buyer) -> None:
    user = make_user(approval=Approval.PENDING, password="demo-buyer-1")
    page = f"/admin/accounts/registration/{user.pk}/colleague/"
    staff_client("Approvers").post(page, {"decision": "approve"})
    user.refresh_from_db()
    assert user.approval == Approval.PENDING
