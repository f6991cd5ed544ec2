import { randomInt } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { codeHashes, isCodeUsed } from "../credentials/credentials.ts";
import type { AccessWindow } from "../credentials/key-period.ts";

/**
 * Checks whether a code is one that a stranger at the door would try first (source: product decision). Birthdays are
 * allowed, because strangers don't know them. About three thousand of a million codes are refused:
 * - one, two or three digits repeated: 777777, 121212, 123123
 * - an ascending or descending run, also across 9 and 0: 123456, 890123, 321098
 * - at least five equal digits: 111112, 855555
 * - a run of pairs: 112233, 998877
 * - palindromes: 123321
 * - the room's number, repeated or padded with zeros: 305305, 000305 and 305000 for room 305
 */
export function isWeakCode(code: string, roomNames: readonly string[]): boolean {
  const digits = [...code].map(Number);
  return (
    [1, 2, 3].some((period) => repeats(code, period)) ||
    isRun(digits) ||
    highestDigitCount(code) >= code.length - 1 ||
    isPairRun(digits) ||
    code === [...code].reverse().join("") ||
    roomNames.some((name) => containsRoomNumber(code, name))
  );
}

function repeats(code: string, period: number): boolean {
  return code === code.slice(0, period).repeat(code.length / period);
}

function isRun(digits: readonly number[]): boolean {
  const steps = digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

function isPairRun(digits: readonly number[]): boolean {
  const paired = digits.every((digit, index) => digit === digits[index - (index % 2)]);
  return paired && isRun(digits.filter((_, index) => index % 2 === 0));
}

function highestDigitCount(code: string): number {
  const counts = [...new Set(code)].map((digit) => code.split(digit).length - 1);
  return Math.max(...counts);
}

function containsRoomNumber(code: string, roomName: string): boolean {
  const number = roomName.replace(/\D/g, "");
  if (number === "" || number.length > code.length) return false;
  const { length } = code;
  const repeated = number.repeat(length).slice(0, length);
  return [repeated, number.padStart(length, "0"), number.padEnd(length, "0")].includes(code);
}

/** A lock and the room it is on, or the common door if `roomId` is null. */
export interface Door {
  id: number;
  roomId: number | null;
  /** name of the room or of the common door */
  roomName: string;
}

/** A code, the doors where it is free, and those where another live code is the same. */
export interface Choice {
  code: string;
  free: Door[];
  taken: Door[];
}

const MAX_DRAWS = 200;

/**
 * Draws six digits that are free at every door. They never begin with zero, because some makes of lock store codes as
 * numbers.
 */
export async function drawFreeCode(
  scope: Scope,
  tx: Transaction,
  doors: Door[],
  window: AccessWindow,
): Promise<Choice> {
  const names = doors.map(({ roomName }) => roomName);
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const code = String(randomInt(100_000, 1_000_000));
    if (isWeakCode(code, names)) continue;
    const choice = await splitDoors(scope, tx, code, doors, window);
    if (choice.taken.length === 0) return choice;
  }
  throw new DomainError("code_taken", { roomName: names.join(", ") });
}

/**
 * Checks a code that a staff member chose and returns the doors where it is free. @throws code_weak; code_taken if
 * there is none among `doors`: the common doors alone are no use
 */
export async function checkChosenCode(
  scope: Scope,
  tx: Transaction,
  code: string,
  doors: Door[],
  common: Door[],
  window: AccessWindow,
): Promise<Choice> {
  const names = doors.map(({ roomName }) => roomName);
  if (isWeakCode(code, names)) throw new DomainError("code_weak", {}, { code: { key: "errors.code_weak" } });
  const choice = await splitDoors(scope, tx, code, doors, window);
  if (choice.free.length > 0) {
    const atCommonDoors = await splitDoors(scope, tx, code, common, window);
    return {
      code,
      free: [...choice.free, ...atCommonDoors.free],
      taken: [...choice.taken, ...atCommonDoors.taken],
    };
  }
  const params = { roomName: names.join(", ") };
  throw new DomainError("code_taken", params, { code: { key: "errors.code_taken", params } });
}

async function splitDoors(
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
