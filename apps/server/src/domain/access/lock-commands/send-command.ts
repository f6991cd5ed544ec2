import { type CommandMessage, type LockArgs, lockArgs, type SealedConfigure } from "@innkey/shared/locks/protocol";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { LockDriver, SendResult } from "../lock-links/driver.ts";
import { pairingContext, sealConfigure } from "../locks/lock-secrets.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { answerSeconds, type Claimed } from "./claim-commands.ts";
import { openArgs } from "./commands.ts";
import { handleAnswer } from "./handle-answer.ts";
import { failCommand, requeueCommand } from "./retry-commands.ts";

/** Share of the answer time that a driver may use for sending, so that it finishes before the claim expires. */
const SENDING_SHARE = 0.7;

/** Sends a claimed command through its driver, outside of any transaction. @throws never */
export async function sendToDriver(
  scope: Scope,
  driver: LockDriver,
  claimed: Claimed,
  log: Logger,
): Promise<SendResult> {
  const { id, type, lock } = claimed;
  const limitMs = answerSeconds(type) * 1000 * SENDING_SHARE;
  try {
    const message = await messageOf(scope, claimed);
    if (!message) return { outcome: "undelivered", error: "internal", again: false };
    return await driver.send(lock, message, AbortSignal.timeout(limitMs));
  } catch (error) {
    log.error({ err: error, lockId: lock.id, commandId: id, driver: driver.name }, "a driver failed");
    return { outcome: "undelivered", error: "internal", again: true };
  }
}

/**
 * Builds the message of a command. Returns null if its arguments can't be read, for example after the secret key
 * changed.
 */
async function messageOf(scope: Scope, claimed: Claimed): Promise<CommandMessage | null> {
  const { id, type, expiresAt } = claimed;
  const now = scope.now().toISOString();
  const args = lockArgs[type].safeParse(type === "set_clock" ? { now } : openArgs(scope, claimed));
  if (!args.success) return null;
  const sentArgs =
    type === "configure" ? await sealConfiguration(scope, claimed, lockArgs.configure.parse(args.data)) : args.data;
  return sentArgs && { id, type, args: sentArgs, expires: expiresAt, now };
}

const NEXT_PAIRING_COUNTER = `
  UPDATE lock SET pairing_counter = greatest(pairing_counter + 1, extract(epoch FROM $3::timestamptz)::bigint)
   WHERE hotel_id = $1 AND id = $2 AND pairing_box IS NOT NULL AND driver = 'mqtt'
  RETURNING pairing_counter::float8 AS counter, pairing_box AS box`;

/**
 * Seals a lock's keys with its pairing secret and a counter that a lock accepts only once. The counter follows the
 * clock, so that it still exceeds what locks have seen after a database was restored. Returns null if the lock has no
 * pairing secret.
 */
async function sealConfiguration(
  scope: Scope,
  { id, lock }: Claimed,
  args: LockArgs["configure"],
): Promise<SealedConfigure | null> {
  const [pairing] = await scope.sql.rows<{ counter: number; box: Buffer }>(
    NEXT_PAIRING_COUNTER,
    lock.id,
    scope.now().toISOString(),
  );
  const secret = pairing && scope.secrets.lock.open(pairing.box, pairingContext(scope.hotelId, lock.id));
  return pairing && secret ? sealConfigure(secret, id, pairing.counter, args) : null;
}

/** Stores the result of sending a command. */
export async function storeSendResult(
  scope: Scope,
  claimed: Claimed,
  result: SendResult,
): Promise<"answer comes later" | "ended or put back"> {
  const lockId = claimed.lock.id;
  if (result.outcome === "sent") {
    await markCredentialSent(scope, claimed.id);
    return "answer comes later";
  }
  if (result.outcome === "answered") {
    await scope.write((tx) => handleAnswer(scope, tx, lockId, { ...result.ack, id: claimed.id }));
    return "ended or put back";
  }
  await scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    const command = await tx.db.lockCommand.findFirst({ where: { id: claimed.id, lockId } });
    if (!lock || !command) return;
    await (result.again ? requeueCommand : failCommand)(scope, tx, lock, command, result.error);
  });
  return "ended or put back";
}

/** Marks the credential as sent, unless the lock's answer came first. */
async function markCredentialSent(scope: Scope, commandId: string): Promise<void> {
  await scope.sql.rows(
    `UPDATE credential t SET state = 'sent' FROM lock_command k
      WHERE t.hotel_id = $1 AND t.state = 'queued' AND k.hotel_id = $1 AND k.id = $2::uuid AND k.type = 'set_credential'
        AND k.state = 'sent' AND t.id = k.credential_id
        AND NOT EXISTS (SELECT FROM lock_command n WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq)`,
    commandId,
  );
}
