import type { Capability } from "@innkey/shared/capabilities";
import type { CredentialKind, KeyStatus } from "@innkey/shared/enums";
import type { WeekHours } from "@innkey/shared/locks/week-hours";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import type { Credential } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { hoursOf, listEntry } from "../cards/card-record.ts";
import type { CredentialSubject } from "./credentials.ts";

/** Checks whether a passcode is a one-time code. The lock computes these itself, so they are never sent. */
export async function isOneTime(tx: Transaction, passcodeId: number): Promise<boolean> {
  const passcode = await tx.db.passcode.findFirst({ where: { id: passcodeId }, select: { type: true } });
  return passcode?.type === "one_time";
}

/** Seal context of a passcode's code. */
export const codeContext = ({ hotelId }: Pick<Scope, "hotelId">, row: number): SealContext => ({
  column: "passcode.code_box",
  hotelId,
  row,
});

/** Returns the code of a passcode. @throws Error if no key opens it */
export function openCode(scope: Scope, { id, codeBox }: { id: number; codeBox: Uint8Array }): string {
  const code = scope.secrets.code.open(codeBox, codeContext(scope, id));
  if (code === null) throw new Error("the code was sealed with another secret key, or for another passcode");
  return code;
}

const VIEW_OF_KIND: Record<CredentialKind, Capability> = {
  card: "cards.view",
  passcode: "passcodes.view",
  face: "faces.view",
};

/** Returns the row of a credential without its label, which names a person, if the caller may not see its kind. */
export const withVisibleLabel = <Row extends { kind: CredentialKind; label: string }>(scope: Scope, row: Row): Row =>
  scope.can(VIEW_OF_KIND[row.kind]) ? row : { ...row, label: "" };

/** Returns the row of a card, code or face at one lock with its status there, in the words of KEY_STATUSES. */
export const withDisplayStatus = <Row extends Pick<CredentialRow, "state" | "validTo">>(scope: Scope, row: Row) => ({
  ...row,
  displayStatus: displayStatusOf(row, scope.now().toISOString()),
});

function displayStatusOf({ state, validTo }: Pick<CredentialRow, "state" | "validTo">, now: string): KeyStatus {
  if (state === "revoking" || state === "revoked") return state;
  if (validTo !== null && validTo <= now) return "expired";
  if (state === "failed") return "failed";
  return state === "queued" || state === "sent" ? "pending" : "active";
}

/** Returns the part of a code's command that is the same at all its locks. */
export const codeContent = (code: string, hours: WeekHours): CredentialSubject["content"] => ({
  code,
  ...(hours.length > 0 && { hours }),
});

/** Returns the part of a credential's command that comes from its card, passcode or face. */
export async function credentialContent(
  scope: Scope,
  tx: Transaction,
  credential: Pick<Credential, "cardId" | "passcodeId" | "faceId">,
): Promise<CredentialSubject["content"]> {
  const { cardId, passcodeId, faceId } = credential;
  if (cardId !== null) {
    return listEntry(scope, tx, await tx.db.card.findFirstOrThrow({ where: { id: cardId } }));
  }
  if (passcodeId !== null) {
    const passcode = await tx.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
    return codeContent(openCode(scope, passcode), hoursOf(passcode));
  }
  return { faceId: faceId ?? 0 };
}
