"""The words of buyers' sheets in many languages: headings, totals, units. Written as `heading`
writes them.
"""

SKU, EAN, NAME = "sku", "ean", "name"
QTY, CARTONS, PER_CARTON, PRICE, OTHER = "qty", "cartons", "per_carton", "price", "other"
NOTE, UNIT, OWN = "note", "unit", "own"

# What stands at the top of a column.
HEADINGS: dict[str, tuple[str, ...]] = {
    OTHER: (
        "stock", "in stock", "on hand", "available", "availability", "moq", "minimum", "min qty", "min order",
        "last order", "last qty", "previous", "previous order", "продаж", "sold", "sales", "backorder", "delivered",
        "received", "amount", "total", "sum", "line total", "value", "date", "pos", "no", "nr", "line", "brand",
        "size", "note", "weight", "discount", "vat", "bestand", "lager", "lagerbestand", "mindestmenge", "verkauft",
        "letzte bestellung", "vorjahr", "betrag", "summe", "gesamt", "gesamtpreis", "datum", "marke", "bemerkung",
        "gewicht", "rabatt", "inhalt", "stock actual", "existencias", "disponible", "minimo", "ultimo pedido",
        "vendido", "importe", "subtotal", "fecha", "marca", "peso", "descuento", "tamano", "재고", "현재고",
        "재고수량", "가용재고", "최소수량", "최소주문수량", "금액", "합계", "총액", "소계", "메모", "브랜드", "용량",
        "번호", "순번", "전월", "지난주문", "판매량", "입고", "중량", "المخزون", "الرصيد", "المتوفر", "الاجمالي",
        "المجموع", "المبلغ", "العلامة", "الماركة", "التاريخ", "الحجم", "م", "остаток", "в наличии", "наличие",
        "склад", "мин заказ", "сумма", "итого", "бренд", "объем", "дата", "скидка", "прошлыи заказ", "п п",
        "en stock", "disponibilite", "stock disponible", "minimum de commande", "derniere commande", "montant",
        "total ht", "marque", "contenance", "poids", "remise",
    ),
    NOTE: (
        "remark", "remarks", "note", "notes", "comment", "comments", "bemerkung", "bemerkungen", "notiz",
        "anmerkung", "anmerkungen", "hinweis", "observaciones", "nota", "notas", "comentario", "comentarios", "비고",
        "메모", "요청사항", "ملاحظات", "ملاحظة", "примечание", "примечания", "комментарии", "комментарий",
        "remarque", "remarques", "commentaire", "commentaires", "anything else", "obs", "status", "تعليق",
    ),
    UNIT: (
        "unit", "uom", "u m", "me", "einheit", "unidad", "unite", "단위", "الوحدة", "ед", "ед изм", "единица",
    ),
    EAN: (
        "ean", "ean code", "ean 13", "ean13", "gtin", "barcode", "bar code", "upc", "strichcode", "barcode ean",
        "ean nr", "codigo de barras", "cod barras", "바코드", "바코드번호", "الباركود", "باركود", "رمز شريطي",
        "штрихкод", "штрих код", "code barres", "code barre", "gencod",
    ),
    SKU: (
        "sku", "sku code", "sku no", "sku number", "item sku", "product sku", "your sku", "supplier sku", "item no",
        "item number", "item code", "product code", "product no", "article no", "article number", "article code",
        "code", "our code", "our ref", "reference", "ref", "supplier code", "vendor code", "art nr", "artikelnr",
        "artikel nr", "artikelnummer", "bestellnummer", "bestell nr", "unsere nr", "unsere art nr", "lieferanten nr",
        "lieferantennummer", "ihre art nr", "ihre artikelnummer", "codigo", "cod", "codigo articulo",
        "codigo producto", "referencia", "referencia proveedor", "n articulo", "품번", "상품코드", "제품코드",
        "품목코드", "코드", "자사코드", "상품번호", "관리코드", "거래처코드", "رقم الصنف", "كود الصنف", "كود المنتج",
        "رقم المنتج", "الكود", "كود", "الرمز", "رمز المنتج", "артикул", "код", "код товара", "артикул поставщика",
        "наш код", "номенклатурныи номер", "ref produit", "ref article", "ref fournisseur", "reference fournisseur",
        "code article", "code produit", "notre ref", "notre code", "article", "item",
    ),
    NAME: (
        "name", "product", "product name", "item name", "description", "item description", "product description",
        "title", "bezeichnung", "artikelbezeichnung", "artikel", "produkt", "produktname", "beschreibung",
        "descripcion", "producto", "articulo", "nombre", "nombre del producto", "denominacion", "상품명", "제품명",
        "품명", "품목", "상품", "제품", "اسم المنتج", "اسم الصنف", "المنتج", "الصنف", "الوصف", "البيان",
        "наименование", "название", "товар", "описание", "наименование товара", "номенклатура", "designation",
        "libelle", "produit", "nom", "nom du produit", "designation article",
    ),
    CARTONS: (
        "cartons", "carton", "ctn", "ctns", "cases", "case", "boxes", "box", "order cartons", "qty cartons",
        "cartons ordered", "kartons", "karton", "anzahl kartons", "menge karton", "cajas", "caja", "cajas pedidas",
        "bultos", "박스", "박스수량", "box수량", "카톤", "주문박스", "كرتون", "كراتين", "عدد الكراتين", "الكراتين",
        "короб", "короба", "коробки", "коробок", "кол во коробок", "colis", "nb colis", "nombre de colis",
        "nb cartons",
    ),
    PER_CARTON: (
        "case pack", "units per pack", "pack size", "ve", "vpe", "verpackungseinheit", "colisage", "pcb",
        "conditionnement", "입수", "박스당", "카톤당", "케이스당", "box당", "вложение", "في الكرتون", "لكل كرتون",
    ),
    QTY: (
        "order qty", "order quantity", "qty to order", "quantity to order", "ordered", "order", "qty", "quantity",
        "quantity pcs", "qty pcs", "pieces", "pcs", "units", "order pcs", "count", "we order", "to order",
        "how many", "how many pcs", "we need",
        "required qty", "bestellmenge", "menge", "stuck", "stk", "anzahl", "bestellung", "menge stuck", "menge stk",
        "bestellmenge stk", "cantidad", "cant", "uds", "unidades", "pedido", "cantidad pedida", "unidades pedidas",
        "piezas", "주문수량", "수량", "주문", "발주수량", "발주", "개수", "주문량", "수량 개", "낱개", "الكمية",
        "كمية", "الكمية المطلوبة", "العدد", "الطلب", "كمية الطلب", "عدد", "عدد القطع", "القطع", "к заказу",
        "neu best", "количество", "кол во", "кол", "заказ", "заказ шт", "кол во шт", "количество шт", "шт",
        "quantite", "qte", "quantite commandee", "qte commandee", "commande", "pieces commandees", "nb pieces",
        "nombre",
    ),
    PRICE: (
        "wholesale", "wholesale price", "wholesale usd", "supply price", "unit price", "unit price usd", "price",
        "price usd", "cost", "ek", "ek preis", "einkaufspreis", "preis", "stuckpreis", "einzelpreis", "precio",
        "precio unitario", "coste", "단가", "공급가", "가격", "매입가", "السعر", "سعر الوحدة", "سعر", "цена",
        "цена за шт", "prix", "prix unitaire", "pu", "pu ht", "prix achat",
    ),
}  # fmt: skip
# What a row says that adds others up.
TOTALS = frozenset((
    "endsumme", "gesamt", "gesamtmenge", "gesamtsumme", "grand total", "order total", "sous total", "sub total",
    "subtotal", "sum", "suma", "summe", "total", "total commande", "total general", "total ht", "total pcs",
    "total pieces", "total qty", "total ttc", "total unidades", "total units", "totales", "totals", "totaux",
    "zwischensumme", "всего", "итог", "итого", "общии итог", "подытог", "اجمالي", "الاجمالي", "المجموع",
    "المجموع الفرعي", "المجموع الكلي", "مجموع", "계", "소계", "총계", "총수량", "총합", "총합계", "합계",
))  # fmt: skip
# Behind a number: pieces. Any other word there is a question.
PIECES = frozenset((
    "ea", "each", "ea개", "pc", "pce", "pces", "pcs", "piece", "pieces", "pieza", "piezas", "pza", "pzas", "st",
    "stk", "stuck", "stueck", "u", "ud", "uds", "un", "unidad", "unidades", "unit", "units", "шт", "штук", "штука",
    "штуки", "حبة", "قطع", "قطعة", "وحدة", "개", "낱개",
))  # fmt: skip
# Beside “per carton”: what is counted. Any other word there (a price, a weight) is none of pieces.
COUNTING = frozenset((
    "qty", "quantity", "no", "nr", "number", "of", "count", "menge", "anzahl", "inhalt", "cantidad", "cant", "numero",
    "de", "количество", "кол", "во", "quantite", "qte", "nombre", "nb", "수량", "개수", "عدد", "القطع", "كمية",
))  # fmt: skip
PER = frozenset(("per", "pro", "je", "por", "par", "в", "في"))
# A carton as it stands behind those words, where that is another form than beside a number.
IN_ONE = frozenset(("коробе", "коробке", "ящике", "الكرتون", "الكرتونة", "الصندوق"))
# In the place of a quantity: none.
NOTHING = frozenset((
    "", "-", "--", "/", "0", "keine", "n/a", "na", "nada", "nein", "nil", "no", "none", "нет", "لا", "–", "—",
    "없음",
))  # fmt: skip
# A pattern of what takes a row back. Descriptions have “cancelling” and “streichzart”: those are
# none.
CANCELS = (
    r"\b(?:cancel|cancell?ed|cancellation|cancelar|cancelad[oa]s?|anular|anulad[oa]s?|storn\w*|annul(?!a)\w*"
    r"|streichen|gestrichen|entfällt|отмен\w*|аннул\w*|not now|(?:do not|don['’]?t) (?:order|send|ship)"
    r"|diesmal nicht|nicht (?:bestellen|liefern|senden)|no (?:pedir|enviar)|ne pas (?:commander|envoyer|livrer)"
    r"|не (?:заказывать|отправлять|нужн\w*|надо))\b|취소|주문하지|إلغاء|الغاء|ملغ"
)
# In the name of a tab: prices, stock, or an order that is over.
FORMER = (
    "deliver", "geliefert", "erledigt", "servido", "entregado", "livre", "출고완료", "납품", "отгруж", "تم", "old",
    "last", "archive", "previous", "stock", "price", "alt", "archiv", "vorjahr", "lager", "bestand", "preis",
    "anterior", "viejo", "existencias", "precio", "tarifa", "재고", "지난", "이전", "단가", "가격", "المخزون",
    "السابق", "الاسعار", "остат", "склад", "стар", "прошл", "архив", "ancien", "precedent", "tarif", "prix",
)  # fmt: skip
# How a word of a heading begins whose column is none to order by: what there is, was, or must be at
# least.
OTHER_STEMS = (
    "min", "mindest", "moq", "last", "letzt", "prev", "stock", "bestand", "lager", "avail", "dispon", "exist", "soh",
    "hand", "продаж", "sold", "sales", "verkauf", "venta", "vente", "ultim", "anterior", "dernier", "ancien", "재고",
    "지난", "최소", "остат", "налич", "склад", "прошл", "مخزون", "المخزون", "الرصيد", "value", "amount",
    "disc",
)  # fmt: skip
