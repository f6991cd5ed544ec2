import { overruns } from "../credentials/credential.sql.ts";

/**
 * Selects locks instructed to refuse the number of card `c` that haven't confirmed since that it is allowed again;
 * `now` is the parameter of the current time.
 */
export const refusingLocks = (
  now: string,
): string => `SELECT b.lock_id FROM lock_command b WHERE b.hotel_id = $1 AND b.subject = 'card:' || c.uid AND b.type = 'block_card'
      AND b.state <> 'superseded' AND (b.expires_at IS NULL OR b.expires_at > ${now}::timestamptz)
      AND NOT EXISTS (SELECT FROM lock_command a WHERE a.lock_id = b.lock_id AND a.subject = b.subject AND a.type = 'allow_card'
        AND a.card_id = c.id AND a.state = 'acknowledged' AND a.seq > b.seq)`;

/** Contact of the lock that the record of a guest's card `c` is for; see `lockContact` of schemas/cards.ts. */
export const CARD_LOCK_CONTACT = `coalesce((SELECT l.online FROM lock l WHERE l.hotel_id = c.hotel_id AND l.id = c.lock_number), true) AS "lockOnline",
  (SELECT iso(l.last_seen_at) FROM lock l WHERE l.hotel_id = c.hotel_id AND l.id = c.lock_number) AS "lockHeardAt"`;

/**
 * Returns SQL for the status of card `c`; `now` is the parameter of the current time. A guest's card is `pending` while
 * its lock hasn't confirmed its keys since a reset, or refuses the number until a newer command arrives. A card in its
 * locks' credential lists is `active` when all of them confirmed it and `failed` when one could not store it.
 */
export const cardStatus = (
  now: string,
): string => `CASE WHEN c.state <> 'active' THEN c.state::text WHEN c.valid_to <= ${now}::timestamptz THEN
    CASE WHEN EXISTS (SELECT FROM credential t JOIN lock l ON l.id = t.lock_id
      WHERE t.hotel_id = $1 AND t.card_id = c.id AND (t.state = 'revoking' OR ${overruns(now)})) THEN 'revoking' ELSE 'expired' END
  WHEN NOT c.over_the_air AND c.kind = 'guest' THEN CASE
    WHEN EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.id = c.lock_number AND l.reset_at IS NOT NULL)
      OR c.lock_number IN (${refusingLocks(now)}) THEN 'pending' ELSE 'active' END
  ELSE (SELECT CASE WHEN bool_or(t.state = 'failed') THEN 'failed'
      WHEN bool_and(t.state IN ('confirmed', 'used') AND (c.over_the_air OR l.reset_at IS NULL)) THEN 'active' ELSE 'pending' END
    FROM credential t JOIN lock l ON l.id = t.lock_id
    WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.state NOT IN ('revoking', 'revoked')) END`;
