import { randomInt } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { AccessWindow } from "../credentials/access-window.ts";
import { codeHashes, isCodeUsed } from "../credentials/credentials.ts";
import { isWeakCode } from "./weak-code.ts";

/** A lock and the room it is on. */
export interface Door {
  id: number;
  roomId: number;
  roomName: string;
}

/** A code, the doors where it is free, and those where another live code is the same. */
export interface Choice {
  code: string;
  free: Door[];
  taken: Door[];
}

const DRAWS = 200;

/**
 * Draws six digits that are free at every door. They never begin with zero, because some makes of lock store codes as
 * numbers.
 */
export async function drawCode(scope: Scope, tx: Transaction, doors: Door[], window: AccessWindow): Promise<Choice> {
  const names = doors.map(({ roomName }) => roomName);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const code = String(randomInt(100_000, 1_000_000));
    if (isWeakCode(code, names)) continue;
    const choice = await divide(scope, tx, code, doors, window);
    if (choice.taken.length === 0) return choice;
  }
  throw new DomainError("code_taken", { roomName: names.join(", ") });
}

/**
 * Checks a code that a staff member chose and returns the doors where it is free. @throws code_weak; code_taken if
 * there is none
 */
export async function ownCode(
  scope: Scope,
  tx: Transaction,
  code: string,
  doors: Door[],
  window: AccessWindow,
): Promise<Choice> {
  const names = doors.map(({ roomName }) => roomName);
  if (isWeakCode(code, names)) throw new DomainError("code_weak", {}, { code: { key: "errors.code_weak" } });
  const choice = await divide(scope, tx, code, doors, window);
  if (choice.free.length > 0) return choice;
  const params = { roomName: names.join(", ") };
  throw new DomainError("code_taken", params, { code: { key: "errors.code_taken", params } });
}

async function divide(
  scope: Scope,
  tx: Transaction,
  code: string,
  doors: Door[],
  window: AccessWindow,
): Promise<Choice> {
  const hashes = codeHashes(scope, code);
  const choice: Choice = { code, free: [], taken: [] };
  for (const door of doors) {
    choice[(await isCodeUsed(tx, door.id, hashes, window)) ? "taken" : "free"].push(door);
  }
  return choice;
}
