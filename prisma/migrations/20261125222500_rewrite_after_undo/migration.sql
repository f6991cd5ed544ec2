-- As in the migration zones, and again with the cards that a check-out revoked, as in the migration undo_check_out: once the
-- check-out is undone, they must be written again.
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
      WHEN s.id IS NOT NULL AND EXISTS (SELECT FROM card_profile p WHERE p.id = c.profile_id AND p.cipher = 'aes'
          AND cardinality(c.zones) - cardinality(c.revoked_zones) < cardinality(p.sectors) - 1)
        AND EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = s.id AND v.zone_id <> ALL (c.zones)
          AND EXISTS (SELECT FROM lock_zone x JOIN lock l ON l.id = x.lock_id AND l.driver = 'mqtt'
            WHERE x.zone_id = v.zone_id AND x.left_at IS NULL)) THEN 'zones'
      END AS reason) why
   WHERE c.kind = 'guest' AND NOT c.over_the_air AND c.confirmed_at IS NOT NULL AND c.replaced_at IS NULL
     AND why.reason IS NOT NULL;
