"""What the tests of the approvers' pages share: addresses, a form as its page shows it, files."""

import io

from PIL import Image

LIST = "/admin/accounts/registration/"
HOSTILE = '<script>alert(1)</script> & "Söhne" {{ 7|add:1 }} {reason} \''


def page_of(user, tail="change/"):
    return f"{LIST}{user.pk}/{tail}"


def form_of(client, user, **changes):
    """Return the fields of a registration's form as its page shows them, with changes."""
    form = client.get(page_of(user)).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    fields_shown = {name: value for name, value in fields.items() if value not in (None, False)}
    return {**fields_shown, **changes}


def companies(page):
    return [str(row) for row in page.context["cl"].result_list]


def pdf(pages=2):
    file = io.BytesIO()
    sheets = [Image.new("RGB", (400, 560), "white") for _ in range(pages)]
    sheets[0].save(file, "PDF", save_all=True, append_images=sheets[1:])
    return file.getvalue()


def png():
    file = io.BytesIO()
    Image.new("RGB", (20, 30), "white").save(file, "PNG")
    return file.getvalue()
