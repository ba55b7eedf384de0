"""Bodies and answers of the basket's calls."""

from rest_framework import serializers

from apps.common.http.serializers import (
    MAX_COUNT,
    MAX_LINES,
    CountField,
    FlagField,
    MoneyField,
    TextField,
    WholeNumberField,
)
from apps.common.types import Json
from apps.orders.models import SavedBasket

MAX_BASKET_NAME = 60
MAX_EDITS = 2**31 - 1


class BasketEdit(serializers.Serializer):
    """Pieces of a product from now on; 0 takes it out."""

    sku = TextField(max_length=40, allow_blank=False)
    count = WholeNumberField(min_value=0, max_value=MAX_COUNT)


class BasketEdits(serializers.Serializer):
    """What was edited on a device. A `sequence` that has come before changes nothing."""

    device = serializers.UUIDField()
    sequence = WholeNumberField(min_value=1, max_value=MAX_EDITS)
    revision = WholeNumberField(
        min_value=0, max_value=MAX_EDITS, help_text="of the basket that was edited"
    )
    edits = serializers.ListField(child=BasketEdit(), max_length=2 * MAX_LINES)


class BasketLine(serializers.Serializer):
    """Pieces of a product; `price` is the wholesale price in US dollars when they were chosen."""

    sku = serializers.CharField()
    count = serializers.IntegerField()
    price = MoneyField()
    short = serializers.IntegerField(
        help_text="1: there were fewer pieces than these when they were chosen"
    )


class BasketAnswer(serializers.Serializer):
    """The buyer's basket on all devices."""

    success = serializers.IntegerField()
    revision = serializers.IntegerField()
    edited_at = serializers.DateTimeField(allow_null=True)
    lines = BasketLine(many=True)


class RefusedEdit(serializers.Serializer):
    """An edit that was left out, and why."""

    sku = serializers.CharField()
    message = serializers.CharField()


class BasketEdited(BasketAnswer):
    """The basket after edits; without lines where nothing but these edits has changed it."""

    lines = BasketLine(many=True, allow_null=True)
    refused = RefusedEdit(many=True)


class SavedLine(serializers.Serializer):
    """A product and how many pieces of it."""

    sku = TextField(max_length=40, allow_blank=False)
    count = CountField()


class BasketToSave(serializers.Serializer):
    """A basket to put by: `named` with a name, or a former one without."""

    kind = serializers.ChoiceField(choices=SavedBasket.Kind.values)
    name = TextField(max_length=MAX_BASKET_NAME, required=False, default="")
    is_shared = FlagField(required=False, default=False)
    lines = serializers.ListField(child=SavedLine(), max_length=MAX_LINES)

    def validate(self, attrs: Json) -> Json:
        """Ask for the name of a named basket."""
        if attrs["kind"] == SavedBasket.Kind.NAMED and not attrs["name"]:
            raise serializers.ValidationError({"name": ["This field may not be blank."]})
        return attrs


class BasketName(serializers.Serializer):
    """What a basket is called, and whether colleagues see it."""

    name = TextField(max_length=MAX_BASKET_NAME, allow_blank=False)
    is_shared = FlagField()


class SavedBasketItem(serializers.Serializer):
    """A basket that was put by; `total` at the prices of when it was saved."""

    uuid = serializers.CharField()
    kind = serializers.ChoiceField(choices=SavedBasket.Kind.values)
    name = serializers.CharField(help_text="empty for a former basket")
    is_own = FlagField()
    owner = serializers.CharField()
    is_shared = FlagField()
    count = serializers.IntegerField(help_text="products")
    pieces = serializers.IntegerField()
    total = MoneyField()
    saved_at = serializers.DateTimeField()


class SavedBaskets(serializers.Serializer):
    """A page of the baskets that the buyer may open, the newest first; `next` goes into
    `?after=`.
    """

    success = serializers.IntegerField()
    result = SavedBasketItem(many=True)
    has_next = serializers.BooleanField()
    next = serializers.CharField(allow_null=True)


class SavedBasketWithLines(SavedBasketItem):
    """One of them with its lines."""

    success = serializers.IntegerField()
    lines = SavedLine(many=True)
