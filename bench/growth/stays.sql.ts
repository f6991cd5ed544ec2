/** Statements that create years of stays from a temporary plan table with one row per stay. */

const GIVEN_NAMES =
  "Anna,Zoë,Peter,Hans,Søren,Émile,José,Björn,Łukasz,Mary,Sofia,Marco,Иван,Мария,Ольга,Сергей,أحمد,فاطمة,حسن,伟,秀英,太郎,花子,민수,서연";
const FAMILY =
  "Müller,Smith,García,Rossi,Nowak,Jensen,Dubois,Silva,Keller,Иванов,Кузнецов,Смирнов,العلي,المصري,النجار,王,李,张,佐藤,鈴木,田中,김,이,박";
const SYLLABLES = "ka,ri,no,ber,ma,lo,ti,sen,da,vi,go,tur,el,ja,pe,han,mi,sol,ar,ve";

const names = (list: string): string => `ARRAY['${list.split(",").join("','")}']`;
/** Returns SQL that picks a list item by a number, spread by a prime. */
const one = (list: string, number: string, spread: number): string =>
  `(${names(list)})[1 + (${number}::bigint * ${spread} % 1000003) % ${list.split(",").length}]`;
const nameOf = (number: string): string =>
  `${one(GIVEN_NAMES, number, 7919)} || ' ' || ${one(FAMILY, number, 104_729)} || ' ' ||
   ${one(SYLLABLES, number, 1_299_709)} || ${one(SYLLABLES, number, 15_485)} || ${one(SYLLABLES, number, 32_452)}`;

/** $1 is the number of past stays of each room. `k` 0 is the current or expected stay. */
export const PLAN = `CREATE TEMPORARY TABLE plan AS
  SELECT nextval('stay_id_seq')::int AS stay_id, nextval('guest_id_seq')::int AS guest_id, nextval('occupancy_id_seq')::int AS occupancy_id,
    nextval('folio_entry_id_seq')::int AS charge_id, nextval('folio_entry_id_seq')::int AS payment_id,
    r.hotel_id, r.id AS room_id, k, s.state, t.starts_at, t.ends_at, 2 * p.usual_minor AS minor
  FROM room r JOIN room_price p ON p.room_id = r.id CROSS JOIN generate_series(0, $1::int) AS k
  CROSS JOIN LATERAL (SELECT CASE WHEN k > 0 THEN 'checked_out' WHEN r.sort % 10 < 7 THEN 'checked_in' WHEN r.sort % 10 = 7 THEN 'reserved' END AS state) s
  CROSS JOIN LATERAL (SELECT date_trunc('hour', now()) + CASE
      WHEN k > 0 THEN interval '-2 days' - k * interval '3 days' - r.sort % 9 * interval '1 hour'
      WHEN s.state = 'reserved' THEN interval '1 day'
      ELSE interval '-2 hours' - r.sort * 7 % 48 * interval '1 hour' END AS starts_at) b
  CROSS JOIN LATERAL (SELECT b.starts_at, b.starts_at + CASE WHEN k > 0 THEN interval '2 days' ELSE interval '3 days' END AS ends_at) t
  WHERE s.state IS NOT NULL`;

const LIVE = "state = 'checked_in'";

export const addPeople = [
  `INSERT INTO guest (id, hotel_id, name, mobile, created_at)
   SELECT guest_id, hotel_id, ${nameOf("guest_id")}, '+49' || 1500000000 + guest_id, starts_at FROM plan`,
  `INSERT INTO stay (id, hotel_id, state, unit, starts_at, ends_at, checked_in_at, checked_out_at, breakfast, created_at)
   SELECT stay_id, hotel_id, state::stay_state, 'day', starts_at, ends_at, CASE WHEN state <> 'reserved' THEN starts_at END,
     CASE WHEN k > 0 THEN ends_at END, stay_id % 2 = 0, starts_at FROM plan`,
  `INSERT INTO occupancy (id, hotel_id, room_id, stay_id, state, starts_at, ends_at, created_at)
   SELECT occupancy_id, hotel_id, room_id, stay_id,
     CASE WHEN k > 0 THEN 'ended' WHEN ${LIVE} THEN 'in_house' ELSE 'held' END::occupancy_state, starts_at, ends_at, starts_at FROM plan`,
  `INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary", created_at)
   SELECT hotel_id, stay_id, guest_id, true, starts_at FROM plan ORDER BY stay_id`,
  `INSERT INTO card (hotel_id, uid, kind, state, profile_id, stay_id, sequence, lock_number, valid_from, valid_to, created_at, confirmed_at, revoked_at)
   SELECT p.hotel_id, upper(lpad(to_hex(p.stay_id), 8, '0')), 'guest', CASE WHEN k > 0 THEN 'revoked' ELSE 'active' END::card_state,
     f.id, p.stay_id, 1, 1, p.starts_at, p.ends_at, p.starts_at, p.starts_at, CASE WHEN k > 0 THEN p.ends_at END
   FROM plan p JOIN card_profile f ON f.hotel_id = p.hotel_id WHERE p.state <> 'reserved'`,
  `INSERT INTO card_room (hotel_id, card_id, room_id)
   SELECT p.hotel_id, c.id, p.room_id FROM plan p JOIN card c ON c.stay_id = p.stay_id`,
  `INSERT INTO lock_command (id, hotel_id, lock_id, type, state, subject, args_box, tries, created_at, sent_at, ended_at)
   SELECT gen_random_uuid(), p.hotel_id, l.id, 'raise_floor', 'acknowledged', 'floor:guest', NULL, 1, p.starts_at, p.starts_at, p.starts_at
   FROM plan p JOIN lock l ON l.room_id = p.room_id WHERE p.state <> 'reserved' ORDER BY p.starts_at`,
];

/** A charge of two nights for each stay, and its payment; one in ten current stays has not paid. */
export const addMoney = [
  `INSERT INTO folio_entry (id, hotel_id, stay_id, type, amount_minor, channel, created_at)
   SELECT charge_id, hotel_id, stay_id, 'room'::folio_entry_type, minor, NULL::payment_channel, starts_at FROM plan
   UNION ALL SELECT payment_id, hotel_id, stay_id, 'payment', minor, 'card', starts_at FROM plan WHERE k > 0 OR (${LIVE} AND room_id % 10 > 0)`,
  `INSERT INTO folio_entry_line (hotel_id, folio_entry_id, occupancy_id, kind, date, starts_at, ends_at, quantity, unit_minor, amount_minor)
   SELECT hotel_id, charge_id, occupancy_id, 'usual', (starts_at + night * interval '1 day')::date, starts_at + night * interval '1 day',
     starts_at + (night + 1) * interval '1 day', 1, minor / 2, minor / 2 FROM plan, generate_series(0, 1) AS night`,
  `INSERT INTO ledger_entry (hotel_id, folio_entry_id, account, amount_minor, created_at)
   SELECT o.hotel_id, o.id, e.account::ledger_account, e.sign * o.amount_minor, o.created_at
   FROM folio_entry o CROSS JOIN LATERAL (SELECT * FROM (VALUES ('room', 'receivable', 1), ('room', 'revenue', -1), ('payment', 'card', 1),
     ('payment', 'receivable', -1)) AS v (type, account, sign) WHERE v.type = o.type::text) e ORDER BY o.created_at`,
];

/** The audit log of hotel $1. Its hash chain is built by the same function that ends every write. */
export const AUDIT = `SELECT commit_write($1::int, now(),
    '{"kind":"system","id":null,"name":"Innkey","door":"system","address":"","requestId":""}'::jsonb,
    (SELECT jsonb_agg(jsonb_build_object('action', act, 'entity', 'stay', 'entityId', stay_id::text, 'after',
        jsonb_build_object('roomId', room_id)) ORDER BY starts_at, stay_id, turn)
       FROM plan, unnest(CASE WHEN k > 0 THEN ARRAY['stay.check_in', 'stay.check_out'] ELSE ARRAY['stay.check_in'] END)
         WITH ORDINALITY AS a (act, turn)
      WHERE hotel_id = $1 AND state <> 'reserved'), false, NULL)`;
