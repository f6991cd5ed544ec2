import pg from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { CAPTCHA_ALPHABET } from "../../apps/server/src/domain/identity/login/captcha-drawing.ts";
import { secretBox } from "../../apps/server/src/kernel/secret-box.ts";

/**
 * Runs one statement on the shared server's database, for what no screen can do, such as moving times back or reading
 * a captcha.
 */
async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const log = { info: () => {}, warn: () => {} };
  const { url } = await startEmbeddedPostgres({ dataDir: process.env.E2E_DATA_DIR ?? "", log, share: true });
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Ages the operator's sessions by a day, so that they have expired. */
export async function expireSessions(operatorId: number): Promise<void> {
  await query("UPDATE session SET last_seen_at = last_seen_at - interval '1 day' WHERE operator_id = $1", [operatorId]);
}

/** Makes the password that a colleague set for the operator count as the operator's own. */
export async function confirmInitialPassword(operatorId: number): Promise<void> {
  await query("UPDATE operator SET password_set_by_other = false WHERE id = $1", [operatorId]);
}

/** Ages the operator's last proof (password or passkey) by an hour, so that it has expired. */
export async function expireProof(operatorId: number): Promise<void> {
  await query("UPDATE session SET proved_at = proved_at - interval '1 hour' WHERE operator_id = $1", [operatorId]);
}

/** Returns the text of a captcha. The server stores only its keyed hash, so we try all codes against it. */
export async function readCaptcha(captchaId: string): Promise<string> {
  const [row] = await query<{ hash: Buffer }>("SELECT answer_hash AS hash FROM captcha WHERE id = $1", [captchaId]);
  const box = secretBox(Buffer.from(process.env.E2E_SECRET_KEY ?? "", "hex"), "account");
  const letters = [...CAPTCHA_ALPHABET];
  for (const a of letters)
    for (const b of letters)
      for (const c of letters)
        for (const d of letters) {
          const text = a + b + c + d;
          if (row?.hash.equals(box.fingerprint(`captcha:${captchaId}:${text}`))) return text;
        }
  throw new Error("no captcha text matches the stored hash");
}

/** Adds door records for the room's lock, one per minute until now. */
export async function addDoorRecords(roomId: number, records: number): Promise<void> {
  await query(
    `INSERT INTO unlock_record (hotel_id, room_id, lock_id, lock_seq, at, style, success)
      SELECT hotel_id, room_id, id, 1000000 + n, now() - n * interval '1 minute', 'card', true
      FROM lock CROSS JOIN generate_series(1, $2::int) AS n WHERE room_id = $1`,
    [roomId, records],
  );
}
