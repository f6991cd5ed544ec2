-- A check-out can be undone: it then puts back the room's condition from before. Empty for stays that were checked out
-- before this migration; their check-outs can't be undone, because their entries weren't recorded either.
ALTER TABLE "stay" ADD COLUMN "room_condition_before" "room_condition";

-- As in the migration card_holder. A card that a check-out revoked must be written again once the check-out is undone; while
-- the party is gone, its stay isn't checked in.
CREATE OR REPLACE VIEW card_to_rewrite WITH (security_invoker = true) AS
  SELECT c.hotel_id, c.id AS card_id, s.id AS stay_id, c.stay_guest_id, why.reason
    FROM card c
    LEFT JOIN stay s ON s.hotel_id = c.hotel_id AND s.id = c.stay_id AND s.state = 'checked_in'
    JOIN hotel h ON h.id = c.hotel_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked') AND c.revoke_reason = 'reissued' AND EXISTS (
        SELECT FROM card p WHERE p.hotel_id = c.hotel_id AND p.uid = c.uid AND p.stay_id = s.id AND p.state = 'pending'
          AND NOT p.over_the_air AND p.id > c.id) THEN 'unfinished'
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked')
        AND c.revoke_reason IN ('room_changed', 'lock_moved', 'sequence_reset', 'checked_out') AND EXISTS (
          SELECT FROM occupancy o JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = o.room_id AND l.driver = 'mqtt'
           WHERE o.hotel_id = c.hotel_id AND o.stay_id = s.id AND o.state = 'in_house')
        THEN CASE c.revoke_reason WHEN 'room_changed' THEN 'room_changed' ELSE 'refused' END
      WHEN c.state <> 'active' THEN NULL
      WHEN s.id IS NOT NULL AND c.valid_to < s.ends_at + make_interval(mins => h.access_late_minutes) THEN 'too_short'
      WHEN NOT EXISTS (SELECT FROM card_room cr JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = cr.room_id
         WHERE cr.card_id = c.id AND l.id = c.lock_number AND l.guest_floor <= c.sequence) THEN 'refused'
      END AS reason) why
   WHERE c.kind = 'guest' AND NOT c.over_the_air AND c.confirmed_at IS NOT NULL AND c.replaced_at IS NULL
     AND why.reason IS NOT NULL;
