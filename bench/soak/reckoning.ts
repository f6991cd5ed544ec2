import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { verifyChains } from "../../apps/server/src/domain/compliance/audit/audit-chain.ts";
import { secretsOf } from "../../apps/server/src/kernel/scope.ts";
import type { Acknowledged } from "./hour.ts";

/** One check of the database at the end; `wrong` should be 0. */
export interface DatabaseCheck {
  question: string;
  wrong: number;
}

const DRAIN_MS = 60_000;

/** Waits until no commands to locks, messages or files are pending. */
export async function waitForQueues({ pool }: Database): Promise<DatabaseCheck> {
  for (const end = Date.now() + DRAIN_MS; ; await delay(250)) {
    const { rows } = await pool.query<{ waiting: number }>(
      `SELECT (SELECT count(*) FROM lock_command WHERE state IN ('queued', 'sent'))
         + (SELECT count(*) FROM outgoing_message WHERE state = 'queued')
         + (SELECT count(*) FROM export WHERE state IN ('queued', 'running')) AS waiting`,
    );
    const waiting = Number(rows[0]?.waiting ?? 0);
    if (waiting === 0 || Date.now() > end)
      return { question: "commands, messages and files that are still queued", wrong: waiting };
  }
}

/** Secret key of the servers whose audit logs are checked. */
export const SECRET_KEY = "5".repeat(64);

/** Checks in the database that every acknowledged change exists exactly once, and that no invariant is violated. */
export async function checkDatabase(
  database: Database,
  hotelId: number,
  { requests, checkIns, checkOuts }: Acknowledged,
  sent: Readonly<Record<string, number>>,
): Promise<DatabaseCheck[]> {
  const { pool } = database;
  const count = async (question: string, text: string, ...values: unknown[]): Promise<DatabaseCheck> => {
    const { rows } = await pool.query<{ wrong: string }>(text, values);
    return { question, wrong: Number(rows[0]?.wrong) };
  };
  const macs = Object.keys(sent);
  const chains = await verifyChains(database, secretsOf(Buffer.from(SECRET_KEY, "hex")).audit);
  return [
    await count(
      "acknowledged changes that are missing from the audit log",
      `SELECT count(*) AS wrong FROM unnest($1::text[]) r (id)
        WHERE NOT EXISTS (SELECT FROM audit_entry e WHERE e.hotel_id = $2 AND e.request_id = r.id)`,
      requests,
      hotelId,
    ),
    {
      question: "acknowledged check-ins that share a stay with another",
      wrong: checkIns.length - new Set(checkIns).size,
    },
    await count(
      "acknowledged check-ins without their stay, or audited other than once",
      `SELECT count(*) AS wrong FROM unnest($1::int[]) s (id)
        WHERE NOT EXISTS (SELECT FROM stay WHERE stay.id = s.id AND state IN ('checked_in', 'checked_out'))
           OR (SELECT count(*) FROM audit_entry e
                WHERE e.hotel_id = $2 AND e.action = 'stay.check_in' AND e.entity_id = s.id::text) <> 1`,
      checkIns,
      hotelId,
    ),
    await count(
      "acknowledged check-outs of stays that are not checked out, or audited other than once",
      `SELECT count(*) AS wrong FROM unnest($1::int[]) s (id)
        WHERE NOT EXISTS (SELECT FROM stay WHERE stay.id = s.id AND state = 'checked_out')
           OR (SELECT count(*) FROM audit_entry e
                WHERE e.hotel_id = $2 AND e.action = 'stay.check_out' AND e.entity_id = s.id::text) <> 1`,
      checkOuts,
      hotelId,
    ),
    await count(
      "locks whose events are not stored as often as they sent them",
      `SELECT count(*) AS wrong FROM unnest($1::text[], $2::int[]) t (mac, sent)
        JOIN lock l ON l.mac = t.mac AND l.hotel_id = $3
        WHERE (SELECT count(*) FROM unlock_record u WHERE u.lock_id = l.id AND u.style = 'key') <> t.sent`,
      macs,
      macs.map((mac) => sent[mac]),
      hotelId,
    ),
    await count(
      "folio entries whose ledger entries don't sum to zero",
      "SELECT count(*) AS wrong FROM (SELECT folio_entry_id FROM ledger_entry GROUP BY folio_entry_id HAVING sum(amount_minor) <> 0) t",
    ),
    await count(
      "pairs of live stays that overlap in one room",
      `SELECT count(*) AS wrong FROM occupancy a JOIN occupancy b ON a.room_id = b.room_id AND a.id < b.id
        WHERE a.state IN ('held', 'in_house') AND b.state IN ('held', 'in_house')
          AND tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)`,
    ),
    {
      question: "hotels whose audit chain is broken",
      wrong: chains.filter(({ brokenAt, endMissing }) => brokenAt !== null || endMissing).length,
    },
  ];
}
