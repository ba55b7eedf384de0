"""The trade's words in Spanish, Korean and Russian beside the English ones that catalogues are
written in. Data alone.

A line is an English word, then what is written for it. What means several English words stands at
each.
"""

TRADE = """
cream: crema 크림 крем кремик
toner: tonico 토너 스킨 тонер тоник
tonic: tonico 토닉 тоник
essence: esencia 에센스 эссенция эссенс
serum: suero 세럼 сыворотка серум
ampoule: ampolla ampul ampule 앰플 ампула ампулка
emulsion: 에멀전 에멀젼 유액 로션 эмульсия
cleanser: limpiadora limpiador limpieza 클렌저 클렌징 세안제 умывания умывалка очищающий очищающая очищающее очищения
cleanser: клензер клинсер
cleansing: limpiador limpiadora desmaquillante desmaquillador desmaquillantes limpieza 클렌징 очищающий очищающее
cleansing: очищения очищающая очищение снятия демакияжа умывания
foam: espuma 폼 пенка пена
gel: 젤 겔 гель
oil: aceite 오일 масло масел
balm: balsamo 밤 бальзам
mask: mascarilla mascara masque 마스크 팩 마스크팩 시트마스크 маска масок
sheet: tela velo hoja 시트 시트팩 마스크팩 тканевый тканевая тканевые тканевых тканевой листовая
sleeping: noche nocturna dormir 슬리핑 수면 ночная ночной
overnight: nocturno nocturna noche 오버나이트 오버나잇 ночной ночная овернайт
night: noche nocturna 나이트 ночной ночная найт
clay: arcilla barro 클레이 점토 глина глиняная глиняный глины клей
eye: ojos ojo contorno 아이 눈 глаз глаза век
patch: parches parche 패치 патчи патч
mist: bruma 미스트 мист спрей дымка
spray: 스프레이 спрей
fixing: 픽서 fijador 픽싱 фиксирующий фиксатор фиксации
booster: 부스터 бустер
vial: viales vial frasquito 바이알 виалы виал флаконы
sun: sol solar solares 썬 선 солнцезащитный солнцезащитная солнцезащитное солнца санскрин сан
fluid: fluido 플루이드 флюид
milk: leche 밀크 우유 молочко молоко молочный молочная милк
stick: barra 스틱 стик
hand: manos mano 핸드 손 рук руки хэнд
body: cuerpo corporal corporales 바디 보디 тела тело боди
lotion: locion leche 로션 лосьон молочко
wash: gel jabon lavado 워시 гель душа
scrub: exfoliante 스크럽 скраб
soap: jabon jabones pastilla 비누 솝 мыло мыла
bar: pastilla barra barras 바 кусковое брусок кусок
shampoo: champu shampu 샴푸 шампунь
treatment: tratamiento acondicionador 트리트먼트 트릿먼트 маска уход бальзам кондиционер
hair: cabello pelo capilar 헤어 머리 모발 волос волосы
refill: recarga recambio repuesto 리필 рефил рефилл запаска сменный
pouch: bolsa bolsas bolsita bolsitas sobre 파우치 пауч пакет саше
scalp: cuero cabelludo 두피 스칼프 кожи головы
pillow: almohada 필로우 베개 подушка подушки подушек
bath: bano 배스 바스 입욕 ванна ванны
salt: sal sales 솔트 소금 соль соли
set: kit 세트 набор сет
discovery: descubrimiento prueba 디스커버리 дискавери пробный пробник знакомства
cushion: cojin 쿠션 кушон
foundation: base maquillaje 파운데이션 основа тональный тональная
blush: rubor colorete 블러셔 블러시 치크 румяна
tint: tinte 틴트 тинт
lipstick: labial pintalabios labiales 립스틱 помада помады
lash: pestanas 래쉬 래시 속눈썹 ресниц
mascara: rimel mascara 마스카라 тушь тушка
palette: paleta sombras 팔레트 палетка палетки палеток тени теней палитра
water: agua 워터 수분 물 водный вода аква
pad: discos pads almohadillas toallitas 패드 пэды диски пады пэд подушечки
first: primera 퍼스트 первая первый ферст
concentrate: 농축액 concentrado 컨센트레이트 концентрат
face: facial cara rostro 페이스 얼굴 лица лицо
golden: dorado dorada oro 골든 황금 золотой золотая золото голден
rice: arroz 라이스 쌀 рис рисовый рисовая райс
veil: velo 베일 вуаль вейл
snow: nieve 스노우 스노 снежная снежный сноу
camellia: camelia 카멜리아 동백 까멜리아 камелия
green: verde 그린 초록 녹색 зеленый зеленая грин
plum: ciruela 플럼 매실 자두 слива сливовый сливовая плам
mugwort: artemisa 머그워트 쑥 полынь мугворт
calm: calma calmante 캄 카밍 진정 спокойствие успокаивающий калм
spring: primavera 스프링 봄 весенний весна весенняя спринг
nettle: ortiga 네틀 쐐기풀 крапива крапивный
heartleaf: 하트리프 어성초 хауттюйния хартлиф
hinoki: 히노키 편백 хиноки кипарис
goat: cabra 산양유 козье козий
chevre: cabra 셰브르 쉐브르 산양 산양유 козье козий шевр
lait: leche 레 산양유 молоко лэ
oat: avena 오트 귀리 овес овсяный овсяная оат
field: campo 필드 поле
peach: melocoton durazno 피치 복숭아 персик персиковый персиковая пич
collagen: colageno 콜라겐 коллаген коллагеновый коллагеновая
pudding: pudin 푸딩 пудинг
dew: rocio 듀 이슬 роса дью
watermelon: sandia 워터멜론 수박 арбуз арбузный арбузная
splash: 스플래시 스플래쉬 сплеш всплеск
fernleaf: helecho 펀리프 고사리 папоротник фернлиф
fern: helecho 펀 고사리 папоротник
quiet: tranquila tranquilo 콰이어트 тихая тихий
centella: 센텔라 병풀 시카 центелла центеллы
white: blanco blanca 화이트 흰 белый белая вайт
truffle: trufa 트러플 трюфель трюфельный трюфелем
cloud: nube 클라우드 구름 облако облачный клауд
sleep: dormir sueno 슬립 수면 сон слип
well: 웰 велл
yuzu: 유자 юдзу юзу
soak: bano 소크 соак
moonflower: 문플라워 달꽃 лунный мунфлауэр лунный
moon: luna 문 луна мун
half: media 하프 хаф
kelp: alga algas 켈프 다시마 ламинария водоросли келп
peptide: peptidos peptido 펩타이드 пептид пептидный пептиды пептидами
mineral: mineral 미네랄 минерал минеральный минеральная
shade: sombra 쉐이드 셰이드 тень
volcanic: volcanica volcanico 볼캐닉 화산재 화산 вулканический вулканическая вулканический вулканического вулкан
ash: ceniza 애쉬 화산재 재 пепел пеплом зола
deep: profundo profunda 딥 глубокий глубокая дип
sea: mar marino marina 씨 바다 море морской морская си
moss: musgo 모스 이끼 мох мосс
garden: jardin 가든 정원 сад гарден
daylight: dia 데이라이트 햇빛 дневной дэйлайт
soft: suave 소프트 мягкий софт
rain: lluvia 레인 비 дождь рейн
light: luz 라이트 빛 свет лайт
vitamin: vitamina 비타민 витамин витамином
cotton: algodon 코튼 목화 хлопок хлопковый коттон
retinal: retinaldehido 레티날 ретиналь ретинал
fig: higo 피그 무화과 инжир инжирный
niacinamide: niacinamida 나이아신아마이드 나이아신 ниацин 니아신아마이드 ниацинамид
azelaic: azelaico azelaica acido 아젤라익 아젤라인 азелаиновый азелаиновая азелаиновой
nine: nueve 나인 девять найн
forest: bosque 포레스트 숲 лес форест
air: aire 에어 воздух эйр
low: baja bajo 로우 약산성 низкий лоу
tide: marea 타이드 прилив тайд
probiotic: probiotico probioticos 프로바이오틱 유산균 пробиотик пробиотический
petal: petalo 페탈 꽃잎 лепесток петал
rosewater: rosas 로즈워터 장미수 розовая
peony: peonia 피오니 작약 пион
guava: guayaba 구아바 гуава
black: negro negra 블랙 검정 черный черная блэк
brown: marron cafe 브라운 갈색 коричневый коричневая браун
brick: ladrillo 브릭 벽돌 кирпичный
cherry: cereza 체리 вишня черри
bare: 베어
nude: 누드 нюд нюдовый
cinnamon: canela 시나몬 계피 корица
ruby: rubi 루비 рубин рубиновый
mulberry: mora 멀베리 오디 шелковица
velvet: terciopelo 벨벳 бархат бархатный бархатная вельвет
ninth: novena 나인스 девятый
hour: hora 아워 час
damask: damasco damascena 다마스크 다마스커스 дамасская дамаск
rose: rosa rosas 로즈 장미 роза розы розой розовый роуз
flutter: 플러터
lavender: lavanda 라벤더 лаванда лавандовый лаванды
pink: rosa 핑크 분홍 розовая розовый пинк
beach: playa 비치 해변 пляж пляжная бич
grey: gris 그레이 회색 серый серая грей
label: etiqueta 라벨 레이블 лейбл этикетка
oud: 우드 уд
pear: pera 페어 배 груша груши
cheek: mejilla 치크 щеки щека
apricot: albaricoque 살구 애프리콧 абрикос абрикосовый
mauve: malva 모브 мов лиловый
barber: barbero 바버 барбер
the: te 떼
vert: verde green tea te 베르 녹차 그린티 차 чай зеленый зеленая вер
tea: te 차 чай
birch: abedul 버치 자작나무 береза березовый березовая березы
sap: savia 수액 сок сап
artemisia: artemisa 아르테미시아 개똥쑥 артемизия полынь
wisteria: вистерия glicina 위스테리아 등나무 глициния
row: 로우
house: casa 하우스 хаус дом
bakuchiol: bakuchiol 바쿠치올 бакучиол
squalane: escualano 스쿠알란 스쿠알렌 сквалан
intensive: intensiva intensivo 인텐시브 интенсивный
recovery: recuperacion reparadora 리커버리 восстановление восстанавливающий
silk: seda 실크 шелк шелковый
protein: proteina 프로틴 단백질 протеин протеины
bright: luminoso brillo 브라이트 яркий сияние брайт
mandarin: mandarina 만다린 귤 мандарин мандариновый
peel: piel cascara 필 껍질 пил кожура
citron: cidra 시트론 цитрон
barrier: barrera 배리어 장벽 барьер барьерный
bloom: flor 블룸 блум
ceramide: ceramidas ceramida 세라마이드 церамид керамид церамиды керамиды
linen: lino 린넨 лен
shell: concha 쉘 셸 ракушка
sand: arena 샌드 모래 песок
honey: miel 허니 꿀 мед медовый
dusk: 더스크
slate: 슬레이트
orchard: 오차드
lune: luna 룬 люн
"""

# Of these words, what names a line of products rather than a kind.
NAMES = """
air apricot artemisia ash azelaic bakuchiol barber bare barrier beach birch black bloom brick bright brown calm
camellia centella ceramide cheek cherry chevre cinnamon citron clay cloud collagen cotton damask daylight deep dew
dusk fern fernleaf field fig flutter forest garden goat golden green grey guava half heartleaf hinoki honey hour
house intensive kelp label lait lavender light linen low lune mandarin mauve milk mineral moon moonflower moss
mugwort mulberry nettle niacinamide night nine ninth nude oat orchard oud overnight peach pear peel peony peptide
petal pink plum probiotic protein pudding quiet rain recovery retinal rice rose rosewater row ruby salt sand sap sea
shade shell silk slate sleep snow soak soft splash spring squalane tea the tide truffle veil vert vitamin volcanic
watermelon well white wisteria yuzu
"""
PIECES = """
pcs pc pce pces nos piece pieces ea each unit units pz pza pzas pieza piezas ud uds u un und unds unid unidad
unidades шт штука штуки штук штучек ед единиц 개 개씩 병 통 장 점 입 매 tubes tube bottle bottles jar jars bottiglie
tubos
tubo frascos frasco botellas botella botes bote tarros tarro тюбик тюбиков тюбика баночек банок банки баночка флакон
флаконов бутылок бутылки sticks stick
"""
# How many pieces are in one is not known.
PACKS = """
box boxes bx carton cartons ctn ctns case cases pack packs packet packets pallet pallets set sets bundle display
displays tray trays caja cajas cartones paquete paquetes bulto bultos коробка коробки коробок коробку кор ящик ящика
ящиков упаковка упаковки упаковок упак уп пачка пачки пачек паллета короб короба коробов 박스 상자 카톤 팩 묶음 세트
케이스 cs krt ktn karton kartons kartone kiste kisten paket pakete packung packungen ve colis caisse caisses paquet
paquets cartone cartoni scatola scatole كرتون كرتونة كرتونه كراتين صندوق صناديق
"""
DOZENS = """
dozen dozens dz doz docena docenas dutzend douzaine douzaines дюжина дюжины дюжин дюжину 다스 타스 더즌
"""
SIZES = {
    "ml": "ml мл 밀리 미리 밀리리터 milliliter mililitros mls cc",
    "g": "g gr gram grams grm гр г грамм 그램 gramos",
}
TIMES = "x х × *"
EACH = """
each apiece cada каждого каждой каждый каждую 각 각각 씩 개씩
"""
# What asks for each of several products, and what such differ in.
ALL = "all every todos todas все всех 전색상 모든 전체"
OF_EACH = r"\b(?:of each|de cada)\b"
SHADES = "shade shades tone tones colour colours color colors tono tonos colores тон тона тонов цвета 색상 전색상"
# Patterns of twice and half the last order.
TWICE = r"double|twice|doble|[x×х] ?2|двойн|вдвое|두\s?배"
HALF = r"half|mitad|половин|절반"
# What makes a quantity unclear.
HEDGES = """
mitad half 절반 반 половина половину наполовину about around approx approximately circa roughly maybe perhaps some few
couple several least most up unos unas alrededor aproximadamente aprox quizas quiza   algunos algunas par
varias varios примерно около приблизительно где-то может возможно несколько пару пара пары штучек 정도 쯤 약 대략
아마 몇 조금
여러 or either или 또는 아니면 double doble triple двойной вдвое больше more less fewer   두배 더 덜 enough
suficiente полтора полторы другой другие other otro otra ещё
"""
# What asks rather than orders.
ASKS = """
available stock price prices cost cuesta precio disponible hay tienen сколько стоит цена наличии есть 재고 가격 얼마
있나요
있어요 있습니까
"""
# What tells of former parcels.
PAST = """
got received arrived shipped missing miss mistake broken damaged llego llegaron recibimos faltan faltaron roto rotos
error пришло пришли получили ошибка брак недостача 왔습니다 왔어요 받았어요 파손 누락 잘못 출고
"""
DENIALS = """
menos минус no not without except skip minus cancel drop remove exclude excluding sin excepto salvo
quita quitar cancelar нет
без кроме убрать уберите исключая отменить не 빼고 빼주세요 빼 제외 제외하고 말고 없이 취소
"""
# Patterns of why something is not wanted: it does not sell.
NOT_SOLD = r"\b(?:not|never|doesn't|don't|isn't) sell|\bno se vende|\bне (?:идут|идет|продают|продается)|안\s?(?:나가|팔)"
JOINS = """
but pero но and plus also then y e ademas tambien mas и плюс также еще затем 그리고 하고 랑 이랑 및 또 와 과
"""
# What names nothing.
NOISE = """
a an the same of for to in on at by with from we i you me my our us your is are be as it its that this these those there
here please pls plz thanks thank thx hi hello hey dear morning good afternoon regards best kind cheers need needs
rush hurry prisa
want wants would like love order ordering add adding send sending ship get give put take make let lets have will can
could also again too just so new line item items list following below regular normal size one ones total qty
quantity amount number no nr time next week month today tomorrow asap soon team all more another extra still then
now well ok okay yes el la los las un una unos unas de del al para por con en que se nos le les lo mi mis su sus es
son y o hola buen linda otra estimados buenos dias buenas tardes noches gracias favor porfa saludos necesito
necesitamos quiero queremos quisiera quisieramos pedido pedir pedimos pide manda mandame mandanos envia enviar
enviame envien agrega agregar agregale sumale anade anadir anadele pon ponme ponganme pongan ponga
dame tambien ademas cantidad tamano
estimado este esta estos estas mas nuevo nuevos misma mismo linea otro vez ahora porfavor todo toda stand feria
serian seria tienda tiendas solo здравствуйте добрый день привет утро вечер спасибо пожалуйста нужно нужен нужна
нужны надо хотим хочу хотели хотелось заказ заказать заказываем закажем добавьте добавить прибавьте прибавь
отправьте пришлите возьмем
берем взять возьму дайте прошу просим бы мы я нам мне на для в с со к и из от по за это этот эта эти еще также тоже
плюс количество уважаемые коллеги будет тока только они объем объём линейки линейка
такой такая здрасте давай ой плиз 안녕하세요
안녕하십니까
감사합니다 부탁드립니다 부탁드려요 부탁해요 부탁합니다 주문 주문합니다 주문할게요 주문드립니다 주문하고 싶습니다
주문하겠습니다 주세요 보내주세요 추가 추가로 추가해주세요 필요합니다 필요해요 이번 이번에 이번에는
그리고 하고 또 저희 우리 좀 요 은 는 이 가 을 를 의 우선 반응 한번 여기 담당자님 대표님 사장님 발주 저번 개입 그냥
보내주세용 용 부탁 에 로 으로 도 만 와 과 랑 이랑 수량 용량
"""
# What stands behind numbers that count no pieces.
OTHER_UNITS = """
th st nd rd day days week weeks month months year years hour hours am pm usd eur gbp dias dia meses mes semana
semanas años ano hora horas euros dolares дней дня день месяц месяца месяцев недели недель неделя числа год года лет
час часов руб рублей 일 월 년 시 시쯤 분 주 개월 번 번째 층 원 달러 시간
"""
# What stands before numbers that count no pieces.
OTHER_BEFORE = """
usd eur gbp po pi п пункт пункты punto item invoice order nr tel phone ref vat factura pedido orden nit счет заказ
заявка инн тел 전화 주문번호 page serial room st street av avenida calle улица дом january february march april may
june
july august september october november december jan feb mar apr jun jul aug sep oct nov dec enero febrero marzo
abril mayo junio julio agosto septiembre octubre noviembre diciembre until till before by antes hasta до
"""
# Patterns of what asks for the last order again.
ORDER_AGAIN = (
    (
        r"(?:the )?same (?:thing |order |list )?(?:as|like) (?:the |my |our )?(?:last|previous"
        r"|before)(?: tim\w*| order| month| week)?"
    ),
    r"(?:the )?same (?:order |thing |stuff )?again",
    (
        r"(?:repeat|reorder|re-order)\w* (?:of )?(?:the |my |our |all )?(?:last|previous)? ?(?:order|one"
        r"|time)(?: (?:from|of) last \w+)?"
    ),
    r"(?:as|like) (?:the |my |our )?(?:last|previous) (?:tim\w*|order|one)",
    r"our order from last time|(?:the |our |my )?usual order",
    (
        r"(?:lo mismo|todo igual|igual|(?:el )?mismo pedido|lo)(?: de| que| del)?(?: en)?(?: el| la"
        r"| lo)?(?: mi| nuestro)? ?(?:[úu]ltim\w+(?: vez| pedido)?|vez pasada|vez anterior|pedido anterior"
        r"|pedido pasado|otra vez|mes pasado|anterior|siempre)(?: igual)?"
    ),
    r"repet\w+ (?:el |la |mi |nuestro )?(?:[úu]ltimo |mismo )?(?:pedido|orden)(?: anterior| pasado)?",
    (
        r"(?:вс[её] )?(?:то же самое|то же,? что и|так же|также)?,? ?(?:как )?(?:и )?(?:в )?(?:прошл\w+"
        r"|последн\w+|предыдущ\w+) (?:раз\w*|заказ\w*)"
    ),
    r"(?:вс[её] )?то же самое",
    r"вс[её] ?[x×х] ?2|повтор\w+ вс[её]|как в тот раз",
    r"(?:double |half |twice )?(?:the |our |my )last order|last time 그대로",
    r"\d+/\d+ 주문(?:과|의|이랑)? ?(?:동일|절반|그대로|같)\S*|저번\s?[거꺼]\S*(?: 그대로)?",
    r"прошл\w+ список",
    r"заказ от [\d.]+ ещ[её] раз",
    (
        r"(?:지난|저)\s?(?:번|주|달|주문|번\s?주문|주\s?주문|달\s?주문)?(?:이랑|과|와|하고|에)?\s?(?:주문\s?)?(?:처럼|대로|그대로|같은\s?거"
        r"|같은\s?걸로|같은\s?것|같이|같게|동일\w*|똑같이|똑같\w*)\S*"
    ),
)
# The same, where nothing else of the message does.
AS_USUAL = (
    r"as usual",
    r"(?:lo de|como) siempre",
    r"как обычно",
    r"(?:늘|항상|평소)\s?(?:하던|시키던)?\s?(?:대로|처럼|것처럼)",
)
# Whose “same as last time” is none of an order.
ABOUT_PAPERS = (
    r"invoice|deliver|shipping|address|payment|price|terms|factura|entrega|envio|direccion|precio|pago"
    r"|счет|счёт|накладн|достав|адрес|оплат|\bцен(?:а|ы|е|у|ой)?\b|세금|계산서|송장|배송|주소|결제|가격"
)
# Patterns of what takes something back.
CORRECTIONS = (
    r"\b(?:wait|oops|correction|instead|make (?:it|that|the)|change to|revise|forget|edit|actually|no,"
    r"|not \d+|mejor|perd[oó]n|perdona|corrijo|cambio|corregir|olvida|нет,|не,|ой|поправка|вместо|замените"
    r"|измен\w+|лучше|хватит)|수정|바꿀게|바꿔|아니|잠시만|잠깐|대신|변경|정정"
)
# The row above somebody else's words.
QUOTED = r"(?:wrote|escribi[óo]|작성|(?:на)?писал\w*(?:\(а\))?)\s*:\s*$"
