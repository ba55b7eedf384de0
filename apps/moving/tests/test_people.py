from decimal import Decimal

import pytest
from django.utils.translation import override

from apps.accounts.models import AddressEntry, Company, User
from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.admin.import_review import Review
from apps.catalog.errors import ImportRefused
from apps.catalog.models import BrandAccess
from apps.catalog.services.imports import questions_of
from apps.catalog.tests.factories import make_brand
from apps.catalog.tests.import_files import answered, applied, book, undone
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import read
from apps.moving.kinds.people import PeopleKind
from apps.moving.tests.moving_files import digest, results, sent

pytestmark = pytest.mark.django_db

HEAD = ("거래처명", "국가", "주", "업종", "예약금 비율", "브랜드", "담당자", "이메일")
ROSE = ("Rose Ltd", "미국", "CA", "pharmacy", "30%", "aurora; mori", "Ann", "ANN@rose.test")
PERSON = ("Company", "Country", "Person", "E-mail")
NOTHING = ("",) * 6
WAITS = "waits for the answer to a question"


def test_companies_and_people_come_from_two_sheets_and_go_again():
    make_brand(eng="AURORA"), make_brand(eng="Mori")
    actor = staff_in()
    before = digest()
    companies = [("2026 거래처", ""), ("Company", "Country"), ("Lumen", "대한민국"), ("합계", 1)]
    lumen = ("Lumen", *NOTHING[1:], "Cy", "cy@lumen.test")
    persons = [HEAD, ROSE, (*NOTHING, "Bo Kim", "bo@rose.test"), lumen]
    content = book(Customers=companies, People=persons, Notes=[("call them",)])
    source = answered(sent(content, actor=actor), {"above": "above"})
    assert results(source) == [
        ("Customers 1", "left", "above the headings"),
        ("Customers 3", "new", ""),
        ("Customers 4", "left", "a row of totals"),
        ("People 2", "new", ""),
        ("People 3", "new", ""),
        ("People 4", "new", ""),
        ("Notes 1", "left", "No row of headings with “Company” was found."),
    ]
    applied(source)
    rose = Company.objects.get(name="Rose Ltd")
    assert (str(rose.country), rose.state.code) == ("United States", "US-CA")
    assert str(rose.business_type) == "Pharmacy"
    assert (rose.deposit_rate, rose.brands_restricted) == (Decimal("0.30"), True)
    assert BrandAccess.objects.filter(company=rose).count() == 2
    ann, bo = User.objects.get(email="ann@rose.test"), User.objects.get(email="bo@rose.test")
    assert (ann.company, bo.company, ann.approval) == (rose, rose, "approved")
    assert not ann.has_usable_password()
    assert User.objects.get(email="cy@lumen.test").company.name == "Lumen"
    undone(source)
    assert source.state == "undone"
    assert digest() == before


def test_the_pages_show_every_row_and_what_to_do_next():
    client = staff_client()
    rows = [("Our customers", ""), PERSON, ("Rose", "US", "Ann", "ann@x.test"), ("Total", 1)]
    source = sent(book(a=rows))
    here = f"/admin/catalog/import/{source.pk}/"
    page = client.get(f"{here}change/").text
    for text in ("above the headings", "a row of totals", "Find a customer", "ann@x.test"):
        assert text in page
    assert "a row of totals" not in client.get(f"{here}change/?tab=new").text
    assert client.get(f"{here}diff/").status_code == 200
    applied(source)
    assert "?invitation=none" in client.get(f"{here}change/").text
    undo = client.get(f"{here}undo/").text
    assert "Added ones deleted" in undo
    assert "nothing is undone" in undo


def test_a_row_changes_what_it_says_and_undoing_puts_it_back():
    company = make_company(name="Rose Beauty", phone="1")
    user = make_user(company=company, email="ann@rose.test", manager="Ann")
    actor = staff_in()
    before = digest(besides=["accounts.companyevent"])
    head = ("Company", "Phone", "Deposit", "Person", "E-mail", "Ship country")
    row = ("ROSE  beauty", "2", 40, "Ann Lee", "ann@rose.test", "KR")
    source = sent(book(a=[head, row, row]), actor=actor)
    assert [result for _, result, _ in results(source)] == ["changed", "twice"]
    applied(source)
    company.refresh_from_db(), user.refresh_from_db()
    assert (company.phone, company.deposit_rate, user.manager) == ("2", Decimal("0.40"), "Ann Lee")
    assert (str(user.ship_country), user.ship_city) == ("South Korea", "Warszawa")
    undone(source)
    assert digest(besides=["accounts.companyevent"]) == before


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        (("", "", "", "a@x.test", "1 A"), "Company: it is missing"),
        (("Shut", "KR", "", "a@x.test", "A"), "this customer is closed"),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_left_out_with_the_reason(row, remark):
    make_user(email="staff@x.test", is_staff=True)
    make_user(email="ann@other.test", company=make_company(name="Other"))
    make_company(name="Shut", is_open=False)
    source = sent(book(a=[("Company", "Country", "Deposit", "E-mail", "Person"), row]))
    assert [(result, said) for _, result, said in results(source)] == [("faulty", remark)]


@pytest.mark.parametrize(
    ("email", "name", "remark"),
    [
        ("a@x", "A", "E-mail: “a@x” is not an e-mail address"),
        (
            "a@x.t; b@x.t; c@x.t",
            "A; B",
            "E-mail: “a@x.t; b@x.t; c@x.t” is not an e-mail address",
        ),
        ("", "A", "A has no e-mail address: not imported"),
        ("a@x.test", "", "a@x.test has no name: not imported"),
        ("a@x.test", "Al (퇴사)", "Al (퇴사) has left: not imported"),
        ("staff@x.test", "A", "E-mail: it is a colleague's"),
        ("ann@other.test", "A", "E-mail: it belongs to Other"),
    ],
)
def test_who_cannot_come_in_is_shown_and_the_company_comes(email, name, remark):
    make_user(email="staff@x.test", is_staff=True)
    make_user(email="ann@other.test", company=make_company(name="Other"))
    rows = [("Company", "Country", "Address", "E-mail", "Person"), ("Rose", "KR", "1 Road")]
    source = sent(book(a=[rows[0], (*rows[1], email, name)]))
    assert [(result, said) for _, result, said in results(source)] == [("new", remark)]
    assert source.counts["guards"]["person"] == 1


def test_people_of_a_second_sheet_find_their_company_by_its_code():
    companies = [("코드", "구분", "거래처명", "국가", "주소"), ("10", "해외", "Rose Ltd", "US",
    "1 Road"),
                 ("11", "해외", "Rose Inc", "KR", "2 Road"), ("12", "매입처", "Box Co", "KR",
                  "3")]  # fmt: skip
    persons = [("거래처코드", "거래처", "Name", "E-mail"), ("11", "Rose", "Ann", "ann@rose.test"),
               ("99", "", "Bo", "bo@rose.test")]  # fmt: skip
    source = applied(sent(book(a=companies, b=persons)))
    assert User.objects.get(email="ann@rose.test").company.name == "Rose Inc"
    assert [remark for _, _, remark in results(source)][2:] == [
        "no customer: 매입처",
        "",
        "Company: it is missing",
    ]


def test_what_may_be_there_already_is_asked():
    make_user(company=make_company(name="Rose Beauty"), email="ann@rose.test")
    head = ("Company", "Business type", "E-mail", "Person")
    rows = [
        ("Rose Beauty Ltd.", "", "x@gmail.com", "X"),
        ("Glow", "무역", "", ""),
        ("Glow Co., Ltd", "", "", ""),
        ("Sun", "", "bo@rose.test", "Bo"),
    ]
    source = sent(book(a=[head, *rows]))
    assert read(questions_of(source)["type:무역"].text) == "Which business type is “무역”?"
    source = answered(source, {"type:무역": "out"})
    added = "no customer of this name: it is added"
    assert [(result, remark) for _, result, remark in results(source)] == [
        ("new", "is read as “Rose Beauty”"),
        ("new", added),
        ("same", "is read as “Glow”"),
        ("new", "rose.test also belongs to “Rose Beauty”; " + added),
    ]
    assert source.counts["guards"] == {
        "near": 1,
        "person": 0,
        "added": 2,
        "written": 2,
        "empty": 0,
        "twice": 0,
        "faulty": 0,
    }


def test_who_may_not_set_a_deposit_share_is_told_before_anything_is_applied():
    rows = [("Company", "Country", "Deposit"), ("Rose", "KR", "30%"), ("Glow", "KR", "")]
    source = sent(book(a=rows), actor=staff_in("Approvers"))
    assert [(result, remark) for _, result, remark in results(source)] == [
        ("faulty", "Deposit share: you may not set it"),
        ("new", ""),
    ]
    applied(source)
    assert source.state == "applied"
    assert not Company.objects.filter(name="Rose").exists()


def test_rows_of_one_company_that_contradict_are_asked():
    head = ("Company", "Country", "Phone", "E-mail", "Person")
    rows = [
        ("Rose", "US", "", "a@x.test", "A"),
        ("Rose", "CA", "", "b@x.test", "B"),
        ("rose", "", "5", "c@x.test", "C"),
    ]
    source = sent(book(a=[head, *rows]))
    assert [(result, remark) for _, result, remark in results(source)] == [
        ("new", ""),
        ("faulty", "Country: row 2 says “United States”"),
        ("new", ""),
    ]
    applied(source)
    assert Company.objects.get(name="Rose").phone == "5"


def test_rows_below_a_company_that_cannot_be_read_are_not_given_to_another():
    head = ("Company", "Country", "E-mail", "Person")
    shut = make_company(name="Glow", is_open=False)
    rows = [("Rose", "US", "a@x.test", "A"), (shut.name, "US", "", ""), ("", "", "b@x.test", "B")]
    source = sent(book(a=[head, *rows]))
    assert results(source)[2] == ("4", "faulty", "its company, in row 3, cannot be read")


def test_what_is_used_stays_closed_and_is_named():
    other = make_user(email="cy@other.test", company=make_company(name="Other"))
    rows = [
        ("Rose", "US", "Ann", "ann@x.test"),
        ("Glow", "US", "Bo", "bo@x.test"),
        ("Sun", "US", "Cy", other.email),
    ]
    source = applied(sent(book(a=[PERSON, *rows])))
    make_user(email="di@sun.test", company=Company.objects.get(name="Sun"))
    ann = User.objects.get(email="ann@x.test")
    ann.last_login = ann.created_at
    ann.save()
    undone(source)
    ann.refresh_from_db()
    assert (source.state, ann.is_active, ann.company.is_open) == ("undone", False, False)
    assert (
        read(source.remark) == "Not deleted, because something names them: ann@x.test, Rose, Sun."
    )
    stays = "in use, so it stays: ann@x.test (sign-ins); Rose (users)"
    assert read(source.rows.first().remark).endswith(stays)
    assert read(source.rows.last().remark).endswith("; in use, so it stays: Sun (users)")
    with override("ko"):
        assert "users" not in read(source.rows.first().remark)
    assert not User.objects.filter(email="bo@x.test").exists()


def test_another_state_of_the_same_country_is_written_and_put_back():
    head = ("Company", "Country", "State", "Person", "E-mail", "Ship country", "Ship state")
    ann = ("Rose", "US", "CA", "Ann", "ann@rose.test", "US", "CA")
    applied(sent(book(a=[head, ann])))
    company, user = Company.objects.get(name="Rose"), User.objects.get(email="ann@rose.test")
    source = sent(book(a=[head, (*ann[:2], "TX", *ann[3:6], "TX")]))
    applied(source)
    company.refresh_from_db(), user.refresh_from_db()
    assert (company.state.code, user.ship_state.code) == ("US-TX", "US-TX")
    undone(source)
    company.refresh_from_db(), user.refresh_from_db()
    assert (company.state.code, user.ship_state.code) == ("US-CA", "US-CA")


def test_what_somebody_changed_since_is_not_undone():
    source = sent(book(a=[("Company", "Country"), ("Rose", "US")]))
    applied(source)
    Company.objects.update(phone="7", name="Rosa")
    undone(source)
    assert (source.state, Company.objects.count()) == ("applied", 1)
    assert read(source.remark) == "Not undone, changed or promised since: Rose."


def test_a_file_of_customers_needs_the_rights_of_who_decides():
    content = book(a=[("Company", "E-mail", "Person"), ("Rose", "a@x.test", "A")])
    with pytest.raises(ImportRefused, match="not of that kind"):
        sent(content, actor=staff_in("Sales"))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_template_is_read_whole(language):
    with override(language):
        content = PeopleKind().template()
    source = sent(content)
    assert (source.kind, source.unread) == ("people", "")
    assert [result for _, result, _ in results(source)] == ["left"]


def test_a_seller_s_own_list_is_asked_where_it_is_not_clear():
    make_brand(eng="AURORA"), make_brand(eng="Mori")
    make_company(name="Rose Lda")
    companies = [
        ("회사명", "국가", "주소", "선수금", "취급브랜드"),
        ("Lumen Ltd", "영국", "1 Road", 1, "Aurora/모리/없음"),
        ("Lumen GmbH", "독일", "2 Weg", "30%", "전브랜드"),
        ("Sun AB", "호주", "3 Way", "", "Mori\nAurora"),
        ("Moon AB", "호주", "4 Way", "", "모리"),
    ]
    source = sent(book(a=companies))
    waits = "Brands: waits for the answer to a question"
    assert [remark for _, _, remark in results(source)] == [
        f"Deposit share: waits for the answer to a question; {waits}",
        "is read as “Lumen Ltd”; its company, in row 2, cannot be read",
        "",
        waits,
    ]
    answers = {"brand:모리": "Mori", "brand:없음": "out", "deposit_rate": "1.00"}
    source = answered(source, answers)
    source = applied(answered(source, {"company:Lumen GmbH": "new"}))  # of another country
    lumen, moon = Company.objects.get(name="Lumen Ltd"), Company.objects.get(name="Moon AB")
    assert (lumen.deposit_rate, lumen.brands_restricted) == (Decimal(1), True)
    rows = BrandAccess.objects.values_list("company__name", "brand__eng")
    assert {one for one in rows if one[0] != "Sun AB"} == {
        ("Lumen Ltd", "AURORA"),
        ("Lumen Ltd", "Mori"),
        ("Moon AB", "Mori"),
    }
    assert moon.brands_restricted
    persons = [
        ("Company", "Name", "E-mail"),
        ("Rose", "Ann", "Ann Lee <ANN@rose.test>"),
        ("Lumen", "Bo", "bo@lumen.test"),
    ]
    source = applied(sent(book(a=persons)))
    assert [remark for _, _, remark in results(source)] == [
        "is read as “Rose Lda”",
        "2 customers have this name",
    ]
    assert User.objects.get(email="ann@rose.test").company.name == "Rose Lda"


def test_an_unknown_company_of_a_person_is_asked_or_named():
    make_company(name="Desert Rose Cosmetics")
    rows = [
        ("Company", "E-mail", "Person"),
        ("Desert Rose", "a@rose.test", "A"),
        ("Lumen", "b@lumen.test", "B"),
        ("", "c@lumen.test", "C"),
    ]
    source = sent(book(a=rows))
    assert [(result, remark) for _, result, remark in results(source)] == [
        ("faulty", "waits for the answer to a question"),
        ("new", "no customer of this name: it is added"),
        ("faulty", WAITS),
    ]
    (row,) = source.rows.filter(guards__has_key="added")
    assert PeopleKind().detail(source, "added", source.rows.filter(pk=row.pk), 1) == "Lumen"
    question = questions_of(source)["company:Desert Rose"]
    assert next(read(text) for _, text in question.choices) == "Desert Rose Cosmetics"
    source = answered(source, {"above": "above"})
    applied(answered(source, {"company:Desert Rose": question.choices[0][0]}))
    assert User.objects.get(email="a@rose.test").company.name == "Desert Rose Cosmetics"
    assert User.objects.get(email="c@lumen.test").company.name == "Lumen"
    assert Company.objects.count() == 2


def test_a_person_without_a_company_is_not_given_to_the_one_above_unasked():
    head = ("Company", "E-mail", "Name")
    rows = [
        ("Lumen", "lu@lumen.test", "Lu"),
        ("", "lo@lumen.test", "Lo"),
        ("", "max@x.test", "Max"),
    ]
    for answer, names in (("out", ["Lu"]), ("above", ["Lo", "Lu", "Max"])):
        source = sent(book(a=[head, *rows]))
        assert [one[1:] for one in results(source)[1:]] == [("faulty", WAITS)] * 2
        text = read(questions_of(source)["above"].text)
        assert "3 lo@lumen.test (Lumen); 4 max@x.test (Lumen)" in text
        source = applied(answered(source, {"above": answer}))
        people = User.objects.filter(company__name="Lumen").values_list("manager", flat=True)
        assert sorted(people) == names
        undone(source)


def test_what_a_row_can_be_without_is_left_empty_and_ticked():
    head = ("Company", "Country", "State", "Deposit", "Person", "E-mail", "Phone")
    row = ("Rose", "Koreaa", "Tejas", "half", "Ann", "ann@rose.test", "1")
    source = sent(book(a=[head, row, ("Rose", "", "", "", "Bo", "bo@rose.test", "2")]))
    question = questions_of(source)["country:Koreaa"]
    assert read(question.text) == "Which country is “Koreaa”?"
    assert "South Korea" in dict(question.choices)
    source = answered(source, {"country:Koreaa": "South Korea"})
    assert source.counts["guards"]["empty"] == 1
    assert [result for _, result, _ in results(source)] == ["new", "new"]
    rose = (applied(source), Company.objects.get(name="Rose"))[1]
    assert (rose.state, rose.deposit_rate, rose.phone) == (None, None, "1")
    assert str(rose.country) == "South Korea"
    assert rose.users.get(email="bo@rose.test").ship_phone == "2"  # the company has another


@pytest.mark.parametrize(
    ("language", "countries"),
    [
        ("en", ["Switzerland", "Afghanistan", "Åland Islands", "Albania", "Algeria"]),
        ("ko", ["스위스", "가나", "가봉", "가이아나", "감비아"]),
    ],
)
def test_the_likely_countries_are_offered_first_then_all_by_name(language, countries):
    source = sent(book(a=[("Company", "Country"), ("Rose", "Swizerland")]))
    with override(language):
        (question,) = Review(source, {}).questions
    texts = [text for _, text, _ in question.choices]
    assert texts[1:6] == countries
    assert len(texts) == 1 + AddressEntry.objects.filter(parent=None).count()


def test_cards_of_companies_are_refused_with_what_to_send():
    rows = [("성 함", "메일"), ("■ Rose Ltd - Vietnam/Hanoi",), ("Ann Lee", "ann@rose.test")]
    with pytest.raises(SpreadsheetRefused, match=r"“Company” was found.*as in the templates"):
        sent(book(a=rows))
