import { DomainError } from "@innkey/shared/errors";
import type { UpdateRegistrationInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../kernel/scope.ts";
import { type Transaction, withoutUndefined } from "../../kernel/transaction.ts";
import { findOnStay, type LiveStay, selectStayForUpdate } from "../stays/public.ts";
import { arriveIn, type Booked, bookedAs } from "./check-in.ts";

import { correctGuestIn, setFlags } from "./update-stay.ts";

/**
 * @throws state_conflict if the room or period differs from the stored one: these change by other operations, so the
 * form was out of date
 */
export async function updateRegistrationIn(
  scope: Scope,
  tx: Transaction,
  input: UpdateRegistrationInput,
): Promise<Booked> {
  const { stayGuestId, guest, arrival, roomId, startsAt, endsAt, ...flags } = input;
  const { stayId } = await findOnStay(scope, tx, stayGuestId);
  const stay = await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  const arriving = stay.state === "reserved" ? arrival : null;
  // A party arrives now, whatever its planned arrival, so the start isn't compared.
  checkUpToDate(stay, { roomId, endsAt, startsAt: arriving ? undefined : startsAt });
  await patchGuest(scope, tx, stayGuestId, guest);
  await setFlags(scope, tx, stay, withoutUndefined(flags));
  const booked = arriving
    ? await arriveIn(scope, tx, { stayId, ...arriving })
    : await bookedAs(tx, stay, stay.depositMinor);
  return { ...booked, stayGuestId };
}

type FormValues = { [Key in "roomId" | "startsAt" | "endsAt"]: UpdateRegistrationInput[Key] };

/** @throws state_conflict at the fields that differ from the stay */
function checkUpToDate(stay: LiveStay, form: FormValues): void {
  const { roomId, startsAt, endsAt } = form;
  const outdated = [
    roomId !== undefined && roomId !== stay.roomId ? "roomId" : null,
    differs(startsAt, stay.startsAt) ? "startsAt" : null,
    differs(endsAt, stay.endsAt) ? "endsAt" : null,
  ].filter((field) => field !== null);
  if (outdated.length === 0) return;
  const fields = outdated.map((field) => [field, { key: "validation.unknown" }] as const);
  throw new DomainError("state_conflict", {}, Object.fromEntries(fields));
}

/** Compares to the second, because some clients send no fractions of a second. */
function differs(expected: string | undefined, actual: string): boolean {
  const second = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
  return expected !== undefined && second(expected) !== second(actual);
}

async function patchGuest(
  scope: Scope,
  tx: Transaction,
  stayGuestId: number,
  fields: UpdateRegistrationInput["guest"],
): Promise<void> {
  const { guest: storedGuest } = await tx.db.stayGuest.findFirstOrThrow({
    where: { id: stayGuestId },
    select: { guest: true },
  });
  await correctGuestIn(scope, tx, {
    stayGuestId,
    guest: {
      name: fields.name,
      gender: fields.gender ?? storedGuest.gender,
      nationality: fields.nationality ?? storedGuest.nationality,
      birthDate: fields.birthDate ?? storedGuest.birthDate?.toISOString().slice(0, 10) ?? null,
      documentType: fields.documentType ?? storedGuest.documentType,
      documentNumber: fields.documentNumber ?? null,
      mobile: fields.mobile ?? storedGuest.mobile,
      email: fields.email ?? storedGuest.email,
    },
  });
}

/**
 * Updates an existing stay from a registration form: the guest, what the stay includes and, for a reservation, the
 * check-in, all in one transaction. Omitted fields stay unchanged. @throws state_conflict if the stored room or period
 * differs from the form; otherwise as `arrive`
 */
export async function updateRegistration(scope: Scope, input: UpdateRegistrationInput): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((tx) => updateRegistrationIn(scope, tx, input));
}
