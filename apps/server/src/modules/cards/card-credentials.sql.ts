import { CREDENTIAL_JOINS, credentialJson } from "../locks/credential.sql.ts";

/** What each lock says of the card `c`, an array of `credentialRow`; of a live card without what has ended. $1 is the hotel. */
export const CARD_CREDENTIALS = `(SELECT coalesce(json_agg(${credentialJson("card.note")} ORDER BY r.sort, r.name, c.id), '[]')
  FROM (SELECT c.id, c.note, c.state) card
  JOIN credential c ON c.hotel_id = $1 AND c.card_id = card.id AND (c.state <> 'revoked' OR card.state = 'revoked')
  ${CREDENTIAL_JOINS})`;
