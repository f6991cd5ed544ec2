import type pg from "pg";
import { measureMs, percentile } from "../measuring/durations.ts";

/** Cost of a table of records, either as one table or partitioned by month. */
export interface TableCost {
  title: string;
  rows: number;
  /** inserting a thousand new records, in batches of the ingest's size */
  insertMs: number;
  /** reading the newest 20 records of a room */
  newestMs: number;
  /** rejecting a record whose number already exists */
  repeatMs: number;
  /** removing the oldest month */
  dropMs: number;
  dropped: number;
  /** vacuuming after the removal */
  vacuumMs: number;
  sizeMb: number;
}

const BATCH = 200;
const READS_A_BATCH = 4;
const DELETED_AT_ONCE = 5_000;
const COLUMNS = "hotel_id, room_id, lock_id, lock_seq, at, style, success";

/**
 * Copies the records into a table partitioned by month, and measures both the same way. The key of a partitioned table
 * must include the partition column, so the uniqueness of a lock's record numbers needs a second table.
 */
export async function measureTables(client: pg.Client, batches: number): Promise<TableCost[]> {
  await makeMonths(client);
  const plain = await measureTable(client, "one table", "unlock_record", null, batches);
  const months = await measureTable(client, "a table for each month", "record_month", "record_number", batches);
  return [plain, months];
}

async function makeMonths(client: pg.Client): Promise<void> {
  await client.query("CREATE TABLE record_month (LIKE unlock_record INCLUDING DEFAULTS) PARTITION BY RANGE (at)");
  await client.query(`DO $$ DECLARE month timestamptz; BEGIN
    FOR month IN SELECT generate_series(date_trunc('month', (SELECT min(at) FROM unlock_record)), now() + interval '1 month', interval '1 month') LOOP
      EXECUTE format('CREATE TABLE record_month_%s PARTITION OF record_month FOR VALUES FROM (%L) TO (%L)',
        to_char(month, 'YYYYMM'), month, month + interval '1 month');
    END LOOP; END $$`);
  await client.query("INSERT INTO record_month SELECT * FROM unlock_record");
  await client.query("ALTER TABLE record_month ADD PRIMARY KEY (id, at)");
  await client.query("CREATE INDEX ON record_month (hotel_id, room_id, at DESC, id DESC)");
  await client.query("CREATE INDEX ON record_month (hotel_id, at DESC, id DESC)");
  await client.query(
    "CREATE INDEX ON record_month (hotel_id, stay_guest_id, at DESC, id DESC) WHERE stay_guest_id IS NOT NULL",
  );
  await client.query("CREATE INDEX ON record_month (lock_id, lock_seq DESC)");
  await client.query(
    "ALTER TABLE record_month ADD FOREIGN KEY (hotel_id, lock_id) REFERENCES lock (hotel_id, id) ON DELETE CASCADE",
  );
  await client.query("CREATE TABLE record_number AS SELECT lock_id, lock_seq FROM unlock_record");
  await client.query("ALTER TABLE record_number ADD PRIMARY KEY (lock_id, lock_seq)");
  await client.query("VACUUM (ANALYZE) record_month, record_number");
  await client.query("CHECKPOINT");
}

async function measureTable(
  client: pg.Client,
  title: string,
  table: string,
  numbers: string | null,
  batches: number,
): Promise<TableCost> {
  const { rows: doors } = await client.query<{ hotel: number; room: number; lock: number }>(
    "SELECT hotel_id AS hotel, room_id AS room, id AS lock FROM lock WHERE room_id IS NOT NULL ORDER BY id LIMIT 100",
  );
  const { rows } = await client.query<{ rows: number; oldest: string }>(
    `SELECT count(*)::int AS rows, date_trunc('month', min(at) + interval '1 month')::text AS oldest FROM ${table}`,
  );
  const [row] = rows;
  if (!row) throw new Error("a count without a row");
  const records = `SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[]) AS r (hotel, room, lock, seq)`;
  const insert = numbers
    ? `WITH report AS (${records}), fresh AS (
         INSERT INTO ${numbers} (lock_id, lock_seq) SELECT lock, seq FROM report ON CONFLICT DO NOTHING RETURNING lock_id, lock_seq)
       INSERT INTO ${table} (${COLUMNS}) SELECT hotel, room, lock, seq, now(), 'card', true
         FROM report JOIN fresh ON fresh.lock_id = report.lock AND fresh.lock_seq = report.seq`
    : `INSERT INTO ${table} (${COLUMNS}) SELECT hotel, room, lock, seq, now(), 'card', true FROM (${records}) report
         ON CONFLICT (lock_id, lock_seq) DO NOTHING`;
  const batch = async (first: number): Promise<number> => {
    const of = Array.from({ length: BATCH }, (_, i) => doors[i % doors.length]);
    const values = [
      of.map((d) => d?.hotel),
      of.map((d) => d?.room),
      of.map((d) => d?.lock),
      of.map((_, i) => first + i),
    ];
    return measureMs(() => client.query({ name: `insert-${table}`, text: insert, values }));
  };
  // Far above every existing number.
  const first = 3_000_000_000;
  const times = Array.from({ length: batches }, (_, i) => first + i * BATCH);
  const inserted: number[] = [];
  for (const at of times) inserted.push(await batch(at));
  const repeated: number[] = [];
  for (const at of times) repeated.push(await batch(at));
  const newest: number[] = [];
  for (let i = 0; i < batches * READS_A_BATCH; i += 1) {
    const door = doors[i % doors.length];
    const text = `SELECT * FROM ${table} WHERE hotel_id = $1 AND room_id = $2 ORDER BY at DESC, id DESC LIMIT 20`;
    newest.push(
      await measureMs(() => client.query({ name: `newest-${table}`, text, values: [door?.hotel, door?.room] })),
    );
  }
  const sizeMb = await size(client, numbers ? ["record_month", numbers] : [table]);
  const [dropMs, dropped] = await dropMonth(client, table, numbers, row.oldest);
  const vacuumMs = await measureMs(() => client.query(`VACUUM ${numbers ?? table}`));
  const perThousand = 1000 / BATCH;
  return {
    ...{ title, rows: row.rows, sizeMb, dropMs, dropped, vacuumMs },
    insertMs: percentile(inserted, 0.5) * perThousand,
    repeatMs: percentile(repeated, 0.5) * perThousand,
    newestMs: percentile(newest, 0.5),
  };
}

/** Removes a month: in batches by index, as the product does, or by deleting its numbers and dropping the partition. */
async function dropMonth(
  client: pg.Client,
  table: string,
  numbers: string | null,
  end: string,
): Promise<[number, number]> {
  const startedAt = performance.now();
  let dropped = 0;
  if (numbers) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass ORDER BY 1 LIMIT 1`,
    );
    const oldest = rows[0]?.name;
    const deleted = await client.query(
      `DELETE FROM ${numbers} n USING ${oldest} o WHERE n.lock_id = o.lock_id AND n.lock_seq = o.lock_seq`,
    );
    dropped = deleted.rowCount ?? 0;
    await client.query(`DROP TABLE ${oldest}`);
    return [performance.now() - startedAt, dropped];
  }
  for (let from = "-infinity"; ; ) {
    const { rows } = await client.query<{ count: number; last: string }>(
      `WITH deleted AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table}
         WHERE hotel_id = (SELECT min(id) FROM hotel) AND at < $1::timestamptz AND at >= $2::timestamptz ORDER BY at, id LIMIT ${DELETED_AT_ONCE})
         RETURNING at) SELECT count(*)::int AS count, max(at)::text AS last FROM deleted`,
      [end, from],
    );
    const [batch] = rows;
    dropped += batch?.count ?? 0;
    if (!batch || batch.count < DELETED_AT_ONCE) return [performance.now() - startedAt, dropped];
    from = batch.last;
  }
}

async function size(client: pg.Client, tables: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ mb: number }>(
    `SELECT (sum(pg_total_relation_size(t.id)) / 1048576)::float8 AS mb FROM unnest($1::text[]) AS n (name), LATERAL (
       SELECT n.name::regclass AS id UNION SELECT relid FROM pg_partition_tree(n.name::regclass)) AS t`,
    [tables],
  );
  return rows[0]?.mb ?? Number.NaN;
}
