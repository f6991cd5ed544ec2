import { type CommandMessage, lockArgs } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Logger } from "../../infra/logger.ts";
import { takeAnswer } from "./answer.ts";
import { answerSeconds, type Claimed } from "./claim.ts";
import type { Handed, LockDriver } from "./driver.ts";
import { failCommand, putBack } from "./failures.ts";
import { holdLock } from "./hold-lock.ts";

/** A driver has this part of the time for an answer; the claim must outlive it. */
const SENDING_PART = 0.7;

/** Gives a claimed command to its driver, outside of any transaction. @throws never */
export async function handOver(scope: Scope, driver: LockDriver, claimed: Claimed, log: Logger): Promise<Handed> {
  const { id, type, lock } = claimed;
  const message = messageOf(scope, claimed);
  if (!message) return { outcome: "undelivered", error: "internal", again: false };
  const limitMs = answerSeconds(type) * 1000 * SENDING_PART;
  try {
    return await driver.send(lock, message, AbortSignal.timeout(limitMs));
  } catch (error) {
    log.error({ err: error, lockId: lock.id, commandId: id, driver: driver.name }, "a driver failed");
    return { outcome: "undelivered", error: "internal", again: true };
  }
}

/** Null if its arguments can't be read, as after the secret key was changed. */
function messageOf(scope: Scope, { id, type, argsBox, expiresAt }: Claimed): CommandMessage | null {
  const opened = scope.secrets.code.open(argsBox);
  if (opened === null) return null;
  const now = scope.now().toISOString();
  const args = lockArgs[type].safeParse(type === "set_clock" ? { now } : JSON.parse(opened));
  return args.success ? { id, type, args: args.data, expires: expiresAt, now } : null;
}

/** Writes down what became of it. */
export async function noteHanded(
  scope: Scope,
  claimed: Claimed,
  handed: Handed,
): Promise<"answer comes later" | "ended or put back"> {
  const lockId = claimed.lock.id;
  if (handed.outcome === "sent") {
    await credentialSent(scope, claimed.id);
    return "answer comes later";
  }
  if (handed.outcome === "answered") {
    await scope.write((unit) => takeAnswer(scope, unit, lockId, { ...handed.ack, id: claimed.id }));
    return "ended or put back";
  }
  await scope.write(async (unit) => {
    const lock = await holdLock(unit, lockId);
    const command = await unit.db.lockCommand.findFirst({ where: { id: claimed.id, lockId } });
    if (!lock || !command) return;
    await (handed.again ? putBack : failCommand)(scope, unit, lock, command, handed.error);
  });
  return "ended or put back";
}

/** Unless the answer was faster. */
async function credentialSent(scope: Scope, commandId: string): Promise<void> {
  await scope.sql.rows(
    `UPDATE credential t SET state = 'sent' FROM lock_command k
      WHERE t.hotel_id = $1 AND t.state = 'queued' AND k.hotel_id = $1 AND k.id = $2::uuid AND k.type = 'set_credential'
        AND k.state = 'sent' AND t.id = k.credential_id
        AND NOT EXISTS (SELECT FROM lock_command n WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq)`,
    commandId,
  );
}
