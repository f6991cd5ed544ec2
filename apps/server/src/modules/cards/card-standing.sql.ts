/**
 * Where the card `c` stands, one of KEY_STANDINGS; $2 is the instant. One that its locks have on a list is `active` when
 * every one of them said that it has it, `failed` when one could not take it.
 */
export const CARD_STANDING = `CASE WHEN c.state <> 'active' THEN c.state::text WHEN c.valid_to <= $2::timestamptz THEN
    CASE WHEN EXISTS (SELECT FROM credential t WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.state = 'revoking') THEN 'revoking' ELSE 'expired' END
  WHEN NOT c.over_the_air AND c.kind = 'guest' THEN 'active'
  ELSE (SELECT CASE WHEN bool_or(t.state = 'failed') THEN 'failed' WHEN bool_and(t.state IN ('confirmed', 'used')) THEN 'active'
      ELSE 'pending' END
    FROM credential t WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.state NOT IN ('revoking', 'revoked')) END`;
