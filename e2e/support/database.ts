import pg from "pg";
import { secretBox } from "../../apps/server/src/core/secret-box.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/infra/embedded-postgres.ts";
import { CAPTCHA_ALPHABET } from "../../apps/server/src/modules/auth/captcha-drawing.ts";

/** One statement on the shared server's database, for what no screen can do: let time pass, or read a picture. */
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

/** As if the operator had not touched the console for a day. */
export async function leaveAlone(operatorId: number): Promise<void> {
  await query("UPDATE session SET last_seen_at = last_seen_at - interval '1 day' WHERE operator_id = $1", [operatorId]);
}

/** What a graphic code shows. Only its keyed hash is kept, so all codes are tried against it. */
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
  throw new Error("no such graphic code");
}
