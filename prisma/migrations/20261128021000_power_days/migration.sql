-- The battery level of each lock on each day, from which it is estimated how long the battery lasts.

-- CreateTable
CREATE TABLE "lock_power_day" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "power" SMALLINT NOT NULL,

    CONSTRAINT "lock_power_day_pkey" PRIMARY KEY ("lock_id","day")
);

-- AddForeignKey
ALTER TABLE "lock_power_day" ADD CONSTRAINT "lock_power_day_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- In how many weeks the battery of a lock is empty (3 %), from the straight line through its levels of the last 90 days
-- since it was replaced, which is a rise of more than 5 points. 53: in more than a year. NULL: not enough is known.
-- That takes levels of at least 5 days within 14, and a fall of at least 2 points, or 60 days without one.
CREATE VIEW lock_battery WITH (security_invoker = true) AS
  SELECT l.hotel_id, l.id AS lock_id,
      CASE
        WHEN l.power IS NULL OR t.days < 5 OR t.span < 14 OR t.fall < 2 AND t.span < 60 OR l.power > t.newest + 5 THEN NULL
        WHEN l.power <= 3 THEN 0
        WHEN t.slope >= 0 OR (l.power - 3) / (-7 * t.slope) > 52 THEN 53
        ELSE round((l.power - 3) / (-7 * t.slope))::int
      END AS weeks_left
    FROM lock l
    LEFT JOIN LATERAL (
      SELECT count(*) AS days, max(p.day) - min(p.day) AS span, max(p.power) - min(p.power) AS fall,
          regr_slope(p.power, p.day - DATE '2000-01-01') AS slope, (array_agg(p.power ORDER BY p.day DESC))[1] AS newest
        FROM (
          SELECT d.day, d.power, sum(d.rise) OVER (ORDER BY d.day DESC) - d.rise AS later_rises
            FROM (
              SELECT r.day, r.power, CASE WHEN r.power > lag(r.power) OVER (ORDER BY r.day) + 5 THEN 1 ELSE 0 END AS rise
                FROM (SELECT q.day, q.power, max(q.day) OVER () AS newest FROM lock_power_day q WHERE q.lock_id = l.id) r
               WHERE r.day > r.newest - 90
            ) d
        ) p
       WHERE p.later_rises = 0
    ) t ON true
   WHERE l.deleted_at IS NULL;

-- The notice of a lock compares every column that a page shows, also the lock that took its place.
DROP TRIGGER lock_update_notice ON lock;
DO $$
DECLARE
  before text;
  after text;
BEGIN
  SELECT string_agg(format('OLD.%I', column_name), ', ' ORDER BY ordinal_position),
         string_agg(format('NEW.%I', column_name), ', ' ORDER BY ordinal_position)
    INTO before, after
    FROM information_schema.columns
   WHERE table_schema = current_schema() AND table_name = 'lock' AND column_name <> ALL
     (ARRAY['last_seen_at', 'drift_seconds', 'otp_next', 'otp_floor', 'event_seq', 'event_log', 'event_base']);
  EXECUTE format('CREATE TRIGGER lock_update_notice AFTER UPDATE ON lock FOR EACH ROW WHEN (ROW(%s) IS DISTINCT FROM ROW(%s))
    EXECUTE FUNCTION notify_row(''locks'')', before, after);
END $$;
