import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Credential } from "../../infra/database/generated/client.ts";
import type { CredentialThing } from "./credentials.ts";

/** A code that its lock computes by itself: it is never sent. */
export async function isOneTime(unit: Unit, passcodeId: number): Promise<boolean> {
  const passcode = await unit.db.passcode.findFirst({ where: { id: passcodeId }, select: { type: true } });
  return passcode?.type === "one_time";
}

/** What a lock is told of a credential, read from what it stands for. */
export async function whatIs(
  scope: Scope,
  unit: Unit,
  credential: Pick<Credential, "cardId" | "passcodeId" | "faceId">,
): Promise<CredentialThing["what"]> {
  const { cardId, passcodeId, faceId } = credential;
  if (cardId !== null) {
    const { uid, overTheAir } = await unit.db.card.findFirstOrThrow({ where: { id: cardId } });
    return { uid, recordNeeded: !overTheAir };
  }
  if (passcodeId !== null) {
    const { codeBox } = await unit.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
    const code = scope.secrets.code.open(codeBox);
    if (code === null) throw new Error("the code was sealed with another secret key");
    return { code };
  }
  return { faceId: faceId ?? 0 };
}
