import { CREDENTIAL_JOINS, credentialJson } from "../credentials/credential.sql.ts";

/**
 * Credentials of the card `c` as an array of `credentialRow`; for a card that isn't revoked, without revoked
 * credentials. $1 is the hotel.
 */
export const CARD_CREDENTIALS = `(SELECT coalesce(json_agg(${credentialJson("card.note")} ORDER BY r.sort, r.name, c.id), '[]')
  FROM (SELECT c.id, c.note, c.state) card
  JOIN credential c ON c.hotel_id = $1 AND c.card_id = card.id AND (c.state <> 'revoked' OR card.state = 'revoked')
  ${CREDENTIAL_JOINS})`;
