import type { Scope } from "../../core/scope.ts";
import type { SealContext } from "../../core/secret-box.ts";
import type { Unit } from "../../core/unit.ts";
import type { Credential } from "../../infra/database/generated/client.ts";
import { listEntry } from "../cards/card-record.ts";
import type { CredentialSubject } from "./credentials.ts";

/** A code that its lock computes by itself: it is never sent. */
export async function isOneTime(unit: Unit, passcodeId: number): Promise<boolean> {
  const passcode = await unit.db.passcode.findFirst({ where: { id: passcodeId }, select: { type: true } });
  return passcode?.type === "one_time";
}

/** Where the code of a passcode is sealed for. */
export const codeContext = ({ hotelId }: Pick<Scope, "hotelId">, row: number): SealContext => ({
  column: "passcode.code_box",
  hotelId,
  row,
});

/** @throws Error where no key opens it */
export function openCode(scope: Scope, { id, codeBox }: { id: number; codeBox: Uint8Array }): string {
  const code = scope.secrets.code.open(codeBox, codeContext(scope, id));
  if (code === null) throw new Error("the code was sealed with another secret key, or for another passcode");
  return code;
}

/** What a lock is told of a credential, read from what it stands for. */
export async function whatIs(
  scope: Scope,
  unit: Unit,
  credential: Pick<Credential, "cardId" | "passcodeId" | "faceId">,
): Promise<CredentialSubject["what"]> {
  const { cardId, passcodeId, faceId } = credential;
  if (cardId !== null) {
    return listEntry(scope, unit, await unit.db.card.findFirstOrThrow({ where: { id: cardId } }));
  }
  if (passcodeId !== null) {
    const { codeBox } = await unit.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
    return { code: openCode(scope, { id: passcodeId, codeBox }) };
  }
  return { faceId: faceId ?? 0 };
}
