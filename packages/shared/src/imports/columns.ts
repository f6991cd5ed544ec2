import { plain } from "./cells.ts";

/** Kinds of import and their columns, in the order of the template. */
export const IMPORT_KINDS = ["rooms", "guests", "customers"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_COLUMNS = {
  rooms: [
    "name",
    "group",
    "floor",
    "sort",
    "remarkName",
    "description",
    "bulletin",
    "mac",
    "bluetoothName",
    "deposit",
    "usual",
    "weekend",
    "renewal",
    "hour",
    "month",
    "year",
  ],
  guests: [
    "name",
    "gender",
    "nationality",
    "birthDate",
    "documentType",
    "documentNumber",
    "mobile",
    "email",
    "room",
    "arrival",
    "departure",
    "price",
  ],
  customers: ["kind", "name", "mobile", "email", "company", "note"],
} as const satisfies Record<ImportKind, readonly string[]>;

export type ImportColumn = (typeof IMPORT_COLUMNS)[ImportKind][number];

/** Columns with a room's prices; importing them requires the permission to set prices. */
export const PRICE_COLUMNS = ["deposit", "usual", "weekend", "renewal", "hour", "month", "year"] as const;

export const MAX_IMPORT_ROWS = 5000;
export const MAX_IMPORT_COLUMNS = 60;
export const MAX_IMPORT_CELL = 2000;
export const MAX_IMPORT_BYTES = 2 * 1024 * 1024;

/**
 * Column headings of other systems in the console's languages, separated by "|" and compared by `headerKey`. They
 * include the headings of the console's own templates; a test checks this for every language.
 */
const HEADER_WORDS: { readonly [Kind in ImportKind]: Readonly<Record<string, string>> } = {
  rooms: {
    name: "房号或名称|房號或名稱|Room number or name|객실 번호 또는 이름|Zimmernummer oder -name|Номер или название комнаты|Número o nombre de la habitación|رقم الغرفة أو اسمها|Número ou nome do quarto|客室番号または名称|Numéro ou nom de la chambre|Numero o nome della camera|name|room|room number|room no|number|no.|zimmer|zimmernummer|zimmernr|nr|房间|房号|房间号|房间名称|客房|房間|房號|部屋|部屋番号|号室|客室|客室番号|객실|호실|객실번호|방번호|номер|номер комнаты|комната|habitación|número de habitación|quarto|número do quarto|uh|chambre|numéro de chambre|n° chambre|camera|numero camera|غرفة|الغرفة|رقم الغرفة|full name|vor- und nachname|姓名|名字|名称|名稱|氏名|お名前|이름|성명|имя|фио|nombre|nombre completo|nome|nome completo|nom|nom complet|nominativo|الاسم|الاسم الكامل",
    group:
      "分组|群組|Group|그룹|Gruppe|Группа|Grupo|المجموعة|グループ|Groupe|Gruppo|room group|category|type|room type|building|wing|zimmergruppe|kategorie|zimmertyp|房间分组|房型|类别|分類|部屋タイプ|객실유형|категория|тип номера|categoría|tipo|catégorie|type de chambre|tipologia|مجموعة|الفئة|نوع الغرفة|分組",
    floor:
      "楼层|樓層|Floor|층|Etage|Этаж|Planta|الطابق|Andar|階|Piano|level|storey|stock|stockwerk|フロア|piso|طابق|Étage",
    sort: "排序|Order|정렬 순서|Reihenfolge|Порядок|Orden|الترتيب|Ordem|並び順|Ordre|Ordine|sort|position|sortierung|順序|표시순|정렬|순서|сортировка|ترتيب",
    remarkName:
      "备注|備註|Note|메모|Notiz|Заметка|Nota|ملاحظة|メモ|Remarque|remarkName|notes|remark|remarks|comment|comments|memo|bemerkung|anmerkung|hinweis|備考|비고|примечание|комментарий|notas|observaciones|comentario|observações|observação|commentaire|annotazioni|ملاحظات|备注名|備註名|별칭|alias|beiname|Observação",
    description:
      "描述|說明|Description|설명|Beschreibung|Описание|Descripción|الوصف|Descrição|説明|Descrizione|details|说明|وصف",
    bulletin:
      "门锁公告|門鎖公告|Text on the lock|도어락 표시 문구|도어락 메시지|Text auf dem Schloss|Текст на замке|Texto en la cerradura|النص المعروض على القفل|Texto na fechadura|ドアロックの表示文|Texte sur la serrure|Testo sulla serratura|bulletin|display|lock text|display text|announcement|公告|お知らせ|공지|объявление|anuncio|annonce|annuncio|إعلان|Сообщение на замке|Nachricht auf dem Schloss|ドアロックのメッセージ|Mensagem na fechadura|Mensaje en la cerradura|Message sur la serrure|Message on the lock|門鎖顯示的訊息|门锁显示的消息|Messaggio sulla serratura",
    mac: "MAC 地址|MAC 位址|MAC address|MAC 주소|MAC-Adresse|MAC-адрес|Dirección MAC|عنوان MAC|Endereço MAC|MACアドレス|Adresse MAC|Indirizzo MAC|mac|lock|lock mac|lock address|schloss|schloss-mac|锁mac|门锁mac|蓝牙mac|門鎖mac|位址|錠mac|도어록mac|замок|cerradura|fechadura|serrure|serratura|القفل",
    bluetoothName:
      "蓝牙名称|藍牙名稱|Bluetooth name|블루투스 이름|Имя Bluetooth|Nombre Bluetooth|اسم البلوتوث|Nome Bluetooth|Bluetooth名|Nom Bluetooth|bluetooth|lock name|ble|schlossname|蓝牙|蓝牙名|ブルートゥース名|블루투스|Bluetooth-Name",
    deposit:
      "押金|Deposit|보증금|Kaution|Депозит|Depósito|مبلغ التأمين|Caução|預り金|Caution|Cauzione|pfand|订金|訂金|保証金|デポジット|залог|fianza|dépôt|تأمين|العربون",
    usual:
      "平日价（每晚）|平日價（每晚）|Usual night|기본 요금(1박)|Normale Nacht|Обычная ночь|Noche habitual|ليلة عادية|Noite normal|通常料金（1泊）|Nuit habituelle|Notte normale|usual|price|usual price|rate|night|nightly rate|per night|weekday|weekday price|base price|preis|zimmerpreis|übernachtungspreis|normalpreis|preis pro nacht|价格|房价|平日价|平时价|门市价|價格|房價|平日價|料金|宿泊料金|平日料金|가격|요금|평일요금|цена|тариф|цена за ночь|precio|tarifa|precio por noche|preço|diária|tarifa por noite|prix|tarif|prix par nuit|prezzo|tariffa|prezzo a notte|السعر|سعر الليلة|Standard night|Nuit (tarif habituel)|Noche a tarifa habitual|Diária normal",
    weekend:
      "周末价（每晚）|週末價（每晚）|Weekend night|주말 요금(1박)|Wochenendnacht|Ночь выходного дня|Noche de fin de semana|ليلة نهاية الأسبوع|Noite de fim de semana|週末料金（1泊）|Nuit de week-end|Notte del fine settimana|weekend|weekend price|weekend rate|wochenende|wochenendpreis|周末|周末价|週末|週末價|週末料金|주말|주말요금|выходные|цена выходного дня|fin de semana|fim de semana|prix week-end|fine settimana|نهاية الأسبوع|Diária de fim de semana|Ночь в выходные",
    renewal:
      "续住价|續住價|Renewal|연장 요금|Verlängerung|Продление|Prolongación|التمديد|Prorrogação|延泊料金|Prolongation|Prolungamento|renewal price|extension|verlängerungspreis|续住|续租|續住|延長|延長料金|연장|renovación|prórroga|renovação|rinnovo|تمديد|Extension rate|Tariffa di prolungamento|Tarifa de prorrogação|Tarif de prolongation|Verlängerungspreis|Tarifa de prolongación|سعر التمديد",
    hour: "小时价|钟点价|鐘點價|By the hour|시간 요금|Stundenpreis|За час|Por hora|بالساعة|時間料金|À l’heure|All’ora|hour|hourly|per hour|hourly rate|stunde|pro stunde|时租|钟点房|每小时|時租|每小時|시간|час|hora|heure|ora|a ore|Tariffa oraria|Tarifa por hora|Tarif à l’heure|Hourly rate|سعر الساعة",
    month:
      "月价|月租价|月租價|By the month|월 요금|Monatspreis|За месяц|Por mes|بالشهر|月額料金|Au mois|Al mese|month|monthly|per month|monthly rate|monat|pro monat|月租|每月|月租金|月額|월|월세|месяц|mes|mensual|mensal|mois|mensuel|mese|mensile|شهري|Por mês|Tariffa mensile|Tarifa mensal|Tarif au mois|Monthly rate|Tarifa por mes|السعر الشهري",
    year: "年价|年租价|年租價|By the year|연 요금|Jahrespreis|За год|Por año|بالسنة|年額料金|À l’année|All’anno|year|yearly|per year|annual|jahr|pro jahr|年租|每年|年租金|年額|연|연세|год|año|anual|année|annuel|anno|annuale|سنوي|Por ano|Yearly rate|Tariffa annuale|Tarifa anual|Tarif à l’année|Tarifa por año|السعر السنوي",
  },
  guests: {
    name: "姓名|Name|이름|Имя|Nombre|الاسم|Nome|氏名|Nom|full name|vor- und nachname|名字|名称|名稱|お名前|성명|фио|nombre completo|nome completo|nom complet|nominativo|الاسم الكامل|guest|guest name|gast|gastname|客人|客人姓名|住客|旅客|房客姓名|宿泊者|宿泊者名|ゲスト|투숙객|손님|гость|имя гостя|huésped|hóspede|client|ospite|cognome e nome|النزيل|اسم النزيل",
    gender: "性别|性別|Gender|성별|Geschlecht|Пол|Sexo|الجنس|Sexe|Sesso|sex|género|genre|genere",
    nationality:
      "国籍|國籍|Nationality|국적|Staatsangehörigkeit|Гражданство|Nacionalidad|الجنسية|Nacionalidade|Nationalité|Nazionalità|country|citizenship|nationalität|land|国家|国|국가|страна|país|pays|cittadinanza|paese|البلد",
    birthDate:
      "出生日期|Birth date|생년월일|Geburtsdatum|Дата рождения|Fecha de nacimiento|تاريخ الميلاد|Data de nascimento|生年月日|Date de naissance|Data di nascita|date of birth|birthday|born|dob|geburtstag|geboren|生日|出生年月日|誕生日|생일|nacimiento|nascimento|Date of birth",
    documentType:
      "证件类型|證件類型|Document|신분증 종류|Ausweisart|Документ|Tipo de documento|نوع الوثيقة|Documento|本人確認書類|Pièce d’identité|documentType|id type|dokumentart|dokument|证件|證件|身分証の種類|신분증|вид документа|type de document|tipo documento|الوثيقة",
    documentNumber:
      "证件号码|證件號碼|Document number|신분증 번호|Dokumentnummer|Номер документа|Número de documento|رقم الوثيقة|Número do documento|書類番号|Numéro du document|Numero del documento|id number|id no|passport number|passport no|passport|ausweisnummer|passnummer|证件号|身份证号|身份证号码|护照号|護照號碼|身分證字號|身分証番号|旅券番号|パスポート番号|여권번호|паспорт|номер паспорта|pasaporte|dni|passaporte|cpf|numéro de document|numéro de passeport|passeport|numero documento|passaporto|رقم الجواز|رقم الهوية|Numéro de la pièce d’identité|Ausweisnummer",
    mobile:
      "手机号|手機號碼|Phone|전화번호|Telefon|Телефон|Teléfono|الهاتف|Telefone|電話番号|Téléphone|mobile|phone number|mobile number|tel|cell|handy|telefonnummer|mobil|手机|手机号码|电话|联系电话|手機|電話|携帯|携帯電話|전화|휴대폰|휴대전화|연락처|мобильный|móvil|celular|telemóvel|portable|mobile phone|cellulare|هاتف|جوال|رقم الهاتف|Telefono",
    email:
      "邮箱|電子郵件|E-mail|이메일|E-Mail-Adresse|Эл. почта|Correo electrónico|البريد الإلكتروني|Endereço de e-mail|メールアドレス|Adresse e-mail|mail|e-mail address|电子邮箱|电子邮件|郵箱|信箱|メール|전자우편|почта|correo|courriel|posta elettronica|indirizzo e-mail|بريد|Email",
    room: "房间|房間|Room|객실|Zimmer|Номер|Habitación|الغرفة|Quarto|客室|Chambre|Camera|room number|room no|zimmernummer|房号|房间号|客房|房號|部屋|部屋番号|호실|객실번호|комната|uh|غرفة|رقم الغرفة",
    arrival:
      "入住时间|入住時間|Arrival|체크인 일시|Anreise|Заезд|Llegada|الوصول|Chegada|到着日時|Arrivée|Arrivo|arrival date|check-in|from|start|ankunft|von|入住|入住日期|到店|抵店|抵達|チェックイン|到着|到着日|체크인|입실|도착일|дата заезда|прибытие|entrada|fecha de llegada|data de entrada|date d’arrivée|data di arrivo|تاريخ الوصول|تسجيل الوصول|抵店时间|抵達時間",
    departure:
      "离店时间|退房時間|Departure|체크아웃 일시|Abreise|Выезд|Salida|المغادرة|Saída|出発日時|Départ|Partenza|departure date|check-out|to|until|end|bis|离店|退房|退房日期|退房时间|離店|チェックアウト|出発|出発日|체크아웃|퇴실|출발일|дата выезда|отъезд|fecha de salida|partida|date de départ|data di partenza|تاريخ المغادرة",
    price:
      "协议总价|議定總價|Agreed total|협의 총액|Vereinbarter Gesamtpreis|Согласованная сумма|Total acordado|الإجمالي المتفق عليه|Total combinado|取り決めた合計額|取り決め合計額|Total convenu|Totale concordato|price|total|agreed price|amount|rate|preis|betrag|gesamtpreis|总价|价格|房费|金额|總價|價格|金額|料金|合計|가격|요금|총액|цена|сумма|стоимость|precio|importe|preço|valor|prix|montant|prezzo|importo|totale|السعر|المبلغ|الإجمالي|约定总价",
  },
  customers: {
    kind: "类型|類型|Kind|유형|Art|Тип|Tipo|النوع|種別|Type|customer type|kundenart|typ|客户类型|客戶類型|種類|区分|구분|вид|genre|type de client|نوع العميل",
    name: "姓名|Name|이름|Имя|Nombre|الاسم|Nome|氏名|Nom|full name|vor- und nachname|名字|名称|名稱|お名前|성명|фио|nombre completo|nome completo|nom complet|nominativo|الاسم الكامل|customer|customer name|client|kunde|kundenname|客户|客户名称|客户姓名|客戶|客戶名稱|顧客|顧客名|고객|고객명|клиент|cliente|العميل|اسم العميل|姓名/名称|姓名／名稱",
    mobile:
      "手机号|手機號碼|Phone|전화번호|Telefon|Телефон|Teléfono|الهاتف|Telefone|電話番号|Téléphone|mobile|phone number|mobile number|tel|cell|handy|telefonnummer|mobil|手机|手机号码|电话|联系电话|手機|電話|携帯|携帯電話|전화|휴대폰|휴대전화|연락처|мобильный|móvil|celular|telemóvel|portable|mobile phone|cellulare|هاتف|جوال|رقم الهاتف|Telefono",
    email:
      "邮箱|電子郵件|E-mail|이메일|E-Mail-Adresse|Эл. почта|Correo electrónico|البريد الإلكتروني|Endereço de e-mail|メールアドレス|Adresse e-mail|mail|e-mail address|电子邮箱|电子邮件|郵箱|信箱|メール|전자우편|почта|correo|courriel|posta elettronica|indirizzo e-mail|بريد|Email",
    company:
      "公司|Company|회사|Firma|Компания|Empresa|الشركة|会社|Société|Azienda|company name|organisation|organization|unternehmen|单位|公司名称|單位|会社名|회사명|организация|compañía|entreprise|ditta|شركة",
    note: "备注|備註|Note|메모|Notiz|Заметка|Nota|ملاحظة|メモ|Remarque|notes|remark|remarks|comment|comments|memo|bemerkung|anmerkung|hinweis|備考|비고|примечание|комментарий|notas|observaciones|comentario|observações|observação|commentaire|annotazioni|ملاحظات|Observação",
  },
};

/** Returns a heading without case, accents, punctuation and text in brackets: "Price (EUR)" becomes "price". */
function headerKey(heading: string): string {
  return plain(heading)
    .replace(/\s*[([{（［【].*$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const cache = new Map<ImportKind, Map<string, ImportColumn>>();

function wordsOf(kind: ImportKind): Map<string, ImportColumn> {
  const columns: readonly ImportColumn[] = IMPORT_COLUMNS[kind];
  const headings = new Map(
    columns.flatMap((column) =>
      (HEADER_WORDS[kind][column] ?? "").split("|").map((word) => [headerKey(word), column] as const),
    ),
  );
  cache.set(kind, headings);
  return headings;
}

/**
 * Returns the column that each heading means; null if it is unknown, or if another heading already means that column.
 */
export function guessColumns(kind: ImportKind, headings: readonly string[]): (ImportColumn | null)[] {
  const words = cache.get(kind) ?? wordsOf(kind);
  const used = new Set<ImportColumn>();
  return headings.map((heading) => {
    const column = words.get(headerKey(heading)) ?? null;
    if (column === null || used.has(column)) return null;
    used.add(column);
    return column;
  });
}
