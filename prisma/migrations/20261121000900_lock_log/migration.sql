-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "event_base" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "event_log" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "lock_log" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "log" TEXT NOT NULL,
    "base" BIGINT NOT NULL,

    CONSTRAINT "lock_log_pkey" PRIMARY KEY ("lock_id","log")
);

-- AddForeignKey
ALTER TABLE "lock_log" ADD CONSTRAINT "lock_log_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Gives each memory that locks name its place among their numbers. The first one goes on from what the lock said before it
-- named any; every later one begins far above all that is kept, so that what is still on its way from the one before never
-- meets it. Whoever calls it holds the locks' rows.
CREATE FUNCTION begin_lock_logs(lock_ids int[], logs text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO lock_log (hotel_id, lock_id, log, base)
  SELECT l.hotel_id, l.id, n.log,
    CASE WHEN known.base IS NULL AND n.turn = 1 THEN l.event_base
      ELSE greatest(l.event_seq, l.event_base, known.base, kept.last) + 1000000 * n.turn END
  FROM (
    SELECT lock_id, log, row_number() OVER (PARTITION BY lock_id ORDER BY min(turn)) AS turn
    FROM unnest(lock_ids, logs) WITH ORDINALITY AS given (lock_id, log, turn)
    WHERE NOT EXISTS (SELECT FROM lock_log k WHERE k.lock_id = given.lock_id AND k.log = given.log)
    GROUP BY lock_id, log
  ) n
  JOIN lock l ON l.id = n.lock_id
  LEFT JOIN LATERAL (SELECT max(k.base) AS base FROM lock_log k WHERE k.lock_id = l.id) known ON true
  LEFT JOIN LATERAL (SELECT max(u.lock_seq) AS last FROM unlock_record u WHERE u.lock_id = l.id) kept ON true
  ON CONFLICT DO NOTHING
$$;
