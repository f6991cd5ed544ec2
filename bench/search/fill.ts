import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";

const SYLLABLES = "ka ri no ber ma lo ti sen da vi go tur el ja pe han mi sol ar ve".split(" ");
/** Given names, family names and the separator between them, by script. */
const NAMES: readonly (readonly [string, string, string])[] = [
  [
    "Anna Zoë Peter Hans Søren Émile José Björn Łukasz Mary Sofia Marco",
    "Müller Smith García Rossi Nowak Jensen Dubois Silva Keller",
    " ",
  ],
  ["Иван Пётр Анна Мария Юлия Сергей Дмитрий Ольга", "Иванов Петров Ёлкин Кузнецов Смирнов Попов Соколов", " "],
  ["أحمد محمد فاطمة علي حسن مريم يوسف خالد", "العلي الحسن المصري السيد الخطيب النجار حداد", " "],
  ["王 李 张 刘 陈 杨 赵 黄 周 吴", "伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳", ""],
  ["佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村", "太郎 花子 一郎 美咲 健太 さくら 大輔 ユキ", ""],
  ["김 이 박 최 정 강 조 윤 장 임", "민수 서연 지훈 하은 도윤 서준 예은 지우", ""],
];

/** Adds guests in six scripts, each with a past stay; the same ones every time. */
export async function fillGuests({ pool }: Database, hotelId: number, guests: number): Promise<void> {
  let state = 20_261_121;
  const below = (most: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
  const one = (words: string): string => {
    const list = words.split(" ");
    return list[below(list.length)] ?? "";
  };
  const people = Array.from({ length: guests }, () => {
    const [givenName, family, between] = NAMES[below(NAMES.length)] ?? ["", "", ""];
    const third = between === "" ? "" : ` ${SYLLABLES[below(20)]}${SYLLABLES[below(20)]}${SYLLABLES[below(20)]}`;
    const name = one(givenName) + between + one(family) + third;
    return { name, mobile: `+49${1_500_000_000 + below(499_999_999)}` };
  });
  await pool.query(
    `WITH who AS (
       INSERT INTO guest (hotel_id, name, mobile) SELECT $1, * FROM unnest($2::text[], $3::text[]) RETURNING id
     ), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM who),
     rooms AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM room WHERE hotel_id = $1),
     stays AS (
       INSERT INTO stay (hotel_id, state, unit, starts_at, ends_at)
       SELECT $1, 'checked_out', 'day', at, at + interval '1 day' FROM numbered, LATERAL (SELECT now() - place * interval '1 hour' AS at) t
       RETURNING id, starts_at, ends_at
     ), placed AS (SELECT *, row_number() OVER (ORDER BY id) AS place FROM stays),
     occupied AS (
       INSERT INTO occupancy (hotel_id, room_id, stay_id, state, starts_at, ends_at)
       SELECT $1, r.id, p.id, 'ended', p.starts_at, p.ends_at FROM placed p JOIN rooms r ON r.place = p.place % r.total
     )
     INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary")
     SELECT $1, p.id, n.id, true FROM placed p JOIN numbered n ON n.place = p.place`,
    [hotelId, people.map(({ name }) => name), people.map(({ mobile }) => mobile)],
  );
}
