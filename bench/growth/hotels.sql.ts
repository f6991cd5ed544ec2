/** Statements that create hotels with synthetic data, without any person's real data. */

const GROUPS = ["Single", "Double", "Suite", "Family"];
const ROOMS_A_FLOOR = 50;

/** $1 is the number of hotels. Their state rows have the same initial values as after the setup. */
export const addHotels = (like: { timeZone: string; currency: string }): string => `WITH new_hotel AS (
    INSERT INTO hotel (name, time_zone, currency)
    SELECT 'Hotel ' || n, '${like.timeZone}', '${like.currency}' FROM generate_series(1, $1::int) AS n RETURNING id
  ), states AS (
    INSERT INTO hotel_state (hotel_id, audit_hash) SELECT id, decode(repeat('00', 32), 'hex') FROM new_hotel
  )
  SELECT id FROM new_hotel`;

/** Creates rooms with prices, each with a lock; one operator owns all hotels. */
export const addRooms = (rooms: number): string[] => [
  `INSERT INTO membership (hotel_id, operator_id, role, capabilities, api_key_auth)
   SELECT h.id, o.id, 'owner', '{}', true FROM hotel h, operator o`,
  `INSERT INTO room_group (hotel_id, name, sort)
   SELECT h.id, g.name, g.sort FROM hotel h, unnest(ARRAY['${GROUPS.join("','")}']) WITH ORDINALITY AS g (name, sort)`,
  `INSERT INTO room (hotel_id, group_id, name, remark_name, floor, sort, condition)
   SELECT h.id, g.id, (n / ${ROOMS_A_FLOOR} + 1) || lpad((n % ${ROOMS_A_FLOOR} + 1)::text, 2, '0'), g.name, n / ${ROOMS_A_FLOOR} + 1, n,
     CASE WHEN n % 20 = 9 THEN 'dirty' ELSE 'clean' END::room_condition
   FROM hotel h CROSS JOIN generate_series(0, ${rooms - 1}) AS n
   JOIN room_group g ON g.hotel_id = h.id AND g.sort = n % ${GROUPS.length} + 1`,
  `INSERT INTO room_price (room_id, hotel_id, deposit_minor, usual_minor, weekend_minor)
   SELECT id, hotel_id, 5000, 8000 + sort % 4 * 1500, 9500 + sort % 4 * 1500 FROM room`,
  `INSERT INTO card_profile (hotel_id, cipher, sectors, block, key_type, site_code, keys_box)
   SELECT id, 'aes', '{1}', 0, 'A', 1, '' FROM hotel`,
  `INSERT INTO lock (hotel_id, room_id, mac, bluetooth_name, power, online, last_seen_at, configured_at, read_back_at, profile_id)
   SELECT r.hotel_id, r.id, 'D4:3A' || regexp_replace(lpad(upper(to_hex(r.id)), 8, '0'), '(..)', ':\\1', 'g'), 'INK_' || r.name,
     30 + r.id % 70, r.id % 20 <> 0, now(), now() - interval '90 days', now(), p.id
   FROM room r JOIN card_profile p ON p.hotel_id = r.hotel_id`,
];
