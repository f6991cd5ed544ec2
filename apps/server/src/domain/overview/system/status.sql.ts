/** Facts about the database. Other users' transactions are visible only to a role with pg_read_all_stats. */
export const DATABASE = `
  SELECT current_setting('server_version') AS version, pg_database_size(current_database())::float8 AS "sizeBytes",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('max_connections')::int AS "mostConnections",
    (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::float8 FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid())
      AS "oldestTransactionSeconds",
    (SELECT count(*)::int FROM pg_stat_replication) AS replicas`;

export const MIGRATIONS = `
  SELECT count(*)::int AS applied, coalesce(max(migration_name), '') AS last FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** $1: hotel. */
export const WAITING_COMMANDS = `
  SELECT count(*)::int AS "commandsWaiting", iso(min(created_at)) AS "waitingSince"
  FROM lock_command WHERE hotel_id = $1 AND state IN ('queued', 'sent')`;

/** We read a lock's newest commands by number; unless there are very many, they include those of a day. */
const COMMANDS_OF_A_LOCK = 200;

/** $1: hotel, $2: current time. Acknowledged commands by the hour they ended, for the last 24 hours, oldest first. */
export const HOURS = `
  WITH ended AS (
    SELECT k.ended_at, extract(epoch FROM k.ended_at - k.created_at) AS seconds
    FROM lock l CROSS JOIN LATERAL (
      SELECT ended_at, created_at, state FROM lock_command WHERE lock_id = l.id ORDER BY seq DESC LIMIT ${COMMANDS_OF_A_LOCK}
    ) k
    WHERE l.hotel_id = $1 AND k.state = 'acknowledged' AND k.ended_at > $2::timestamptz - interval '24 hours'
  )
  SELECT iso(h.begins) AS "from", count(e.seconds)::int AS commands,
    (percentile_cont(0.5) WITHIN GROUP (ORDER BY e.seconds))::float8 AS "typicalSeconds",
    (percentile_cont(0.95) WITHIN GROUP (ORDER BY e.seconds))::float8 AS "slowSeconds"
  FROM generate_series($2::timestamptz - interval '24 hours', $2::timestamptz - interval '1 hour', interval '1 hour') AS h (begins)
  LEFT JOIN ended e ON e.ended_at > h.begins AND e.ended_at <= h.begins + interval '1 hour'
  GROUP BY h.begins ORDER BY h.begins`;

/** $1: hotel, $2: current time. */
export const SENDERS = `
  SELECT c.channel::text AS channel,
    (SELECT count(*)::int FROM outgoing_message WHERE hotel_id = $1 AND channel = c.channel AND state = 'queued') AS waiting,
    (SELECT json_build_object('reason', last_error, 'at', iso(created_at)) FROM outgoing_message
      WHERE hotel_id = $1 AND channel = c.channel AND last_error <> '' AND created_at > $2::timestamptz - interval '7 days'
      ORDER BY created_at DESC LIMIT 1) AS "lastFailure"
  FROM unnest(enum_range(NULL::outgoing_message_channel)) AS c (channel)`;

/** $1: hotel. */
export const WEBHOOKS = `
  SELECT (count(*) FILTER (WHERE disabled_at IS NULL))::int AS "on",
    (count(*) FILTER (WHERE disabled_at IS NULL AND failures > 0))::int AS failing,
    (count(*) FILTER (WHERE given_up))::int AS "givenUp",
    (SELECT count(*)::int FROM webhook_delivery WHERE hotel_id = $1 AND state = 'queued') AS waiting
  FROM webhook WHERE hotel_id = $1`;
