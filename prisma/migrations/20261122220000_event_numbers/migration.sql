-- When a memory of events was first heard of: how many new ones a lock names in a day is limited.
ALTER TABLE "lock_log" ADD COLUMN     "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- The record of the opening that an unlock command made; one command opens once.
ALTER TABLE "lock_command" ADD COLUMN     "opening_number" BIGINT;

DROP FUNCTION begin_lock_logs(int[], text[]);

-- The first number above everything that lock `lock_id` has a place for. Each memory of events has 2^31 numbers of its own, as
-- many as a lock may count, so that no memory ever meets another. At 16 memories a day the places of one lock, 2^22 of them below
-- 2^53, last for centuries.
CREATE FUNCTION free_event_base(lock_id int) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT ((greatest(l.event_seq, l.event_base,
      (SELECT max(k.base) FROM lock_log k WHERE k.lock_id = l.id),
      (SELECT max(u.lock_seq) FROM unlock_record u WHERE u.lock_id = l.id)) >> 31) + 1) << 31
  FROM lock l WHERE l.id = $1
$$;

-- Gives each memory that locks name its place among their numbers. The first one goes on from what the lock said before it
-- named any. A lock that names more than 16 new ones in a day is not believed: the others get no place. The newest 64 are
-- remembered. Whoever calls it holds the locks' rows.
CREATE FUNCTION begin_lock_logs(lock_ids int[], logs text[], at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new record;
BEGIN
  FOR new IN
    SELECT n.lock_id, n.log, l.hotel_id, l.event_base
    FROM (SELECT g.lock_id, g.log, min(g.turn) AS turn FROM unnest(lock_ids, logs) WITH ORDINALITY AS g (lock_id, log, turn) GROUP BY 1, 2) n
    JOIN lock l ON l.id = n.lock_id
    WHERE NOT EXISTS (SELECT FROM lock_log k WHERE k.lock_id = n.lock_id AND k.log = n.log)
    ORDER BY n.turn
  LOOP
    CONTINUE WHEN (SELECT count(*) >= 16 FROM lock_log k WHERE k.lock_id = new.lock_id AND k.begun_at > at - interval '1 day');
    INSERT INTO lock_log (hotel_id, lock_id, log, base, begun_at)
    VALUES (new.hotel_id, new.lock_id, new.log,
      CASE WHEN EXISTS (SELECT FROM lock_log k WHERE k.lock_id = new.lock_id) THEN free_event_base(new.lock_id) ELSE new.event_base END,
      at);
    DELETE FROM lock_log k WHERE k.lock_id = new.lock_id AND k.base <
      (SELECT o.base FROM lock_log o WHERE o.lock_id = new.lock_id ORDER BY o.base DESC OFFSET 63 LIMIT 1);
  END LOOP;
END $$;

-- A lock that is connected anew may be another device: it may name memories again, and what it says without naming one begins
-- at a place of its own.
CREATE FUNCTION begin_event_numbers(lock_id int) RETURNS void LANGUAGE sql AS $$
  UPDATE lock_log SET begun_at = to_timestamp(0) WHERE lock_log.lock_id = $1;
  UPDATE lock SET event_log = '', event_base = free_event_base(id) WHERE id = $1
    AND (event_seq > 0 OR EXISTS (SELECT FROM lock_log k WHERE k.lock_id = $1))
$$;
