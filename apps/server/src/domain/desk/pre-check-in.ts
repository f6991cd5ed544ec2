import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/pre-check-in";
import { GuestPictureKind } from "@innkey/shared/schemas/stays/pre-check-in";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { redrawGuestPicture } from "../files/public.ts";
import { readGuestPage } from "../overview/public.ts";
import {
  discardPictures,
  findOnStay,
  type GuestVisit,
  savePreCheckIn,
  selectStayForUpdate,
  takePictures,
  takePreCheckIn,
} from "../stays/public.ts";
import { correctGuestIn } from "./update-stay.ts";

type Answer = z.infer<typeof schema.answerPreCheckInInput>;
type Values = z.infer<typeof schema.preCheckInValues>;

/**
 * Stores what a guest wrote about themselves before they arrive. @throws not_found unless the hotel asks for something
 * and the guest has shown who they are; file_not_image for a picture that is none; otherwise as `savePreCheckIn`
 */
export async function sendPreCheckIn(visit: GuestVisit, input: schema.PreCheckInInput): Promise<void> {
  const { inside } = await readGuestPage(visit);
  const questions = inside?.preCheckIn;
  if (!questions) throw new DomainError("not_found");
  if (questions.answered) throw new DomainError("state_conflict");
  const values: Values = {
    name: questions.asksIdentity ? input.name : "",
    birthDate: questions.asksIdentity ? input.birthDate : null,
    nationality: questions.asksIdentity ? input.nationality : null,
    documentType: questions.asksDocument ? input.documentType : null,
    documentNumber: questions.asksDocument ? input.documentNumber : "",
  };
  const pictures = await redrawPictures(visit, {
    signature: questions.asksSignature ? input.signature : null,
    document: questions.asksPhoto ? input.document : null,
  });
  await savePreCheckIn(visit, values, questions.asksArrival ? input.arrivalTime : null, pictures);
}

async function redrawPictures(
  { scope: { hotelId }, stayGuestId }: GuestVisit,
  sent: Record<schema.GuestPictureKind, string | null>,
): Promise<Map<schema.GuestPictureKind, Buffer>> {
  const pictures = new Map<schema.GuestPictureKind, Buffer>();
  for (const kind of GuestPictureKind.options) {
    const base64 = sent[kind];
    if (base64 === null) continue;
    pictures.set(kind, await redrawGuestPicture(Buffer.from(base64, "base64"), kind, { hotelId, stayGuestId }));
  }
  return pictures;
}

/** Locks the stay of the guest and takes what they wrote. */
async function answer(scope: Scope, tx: Transaction, input: Answer): Promise<Values> {
  const { stayId } = await findOnStay(scope, tx, input.stayGuestId);
  await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  return takePreCheckIn(scope, tx, input);
}

/**
 * Writes what a guest sent into their record. What they left out stays as it is. @throws no_permission, not_found;
 * state_conflict if somebody else answered, or the guest has sent something else since
 */
export async function takeOverPreCheckIn(
  scope: Scope,
  input: Answer,
): Promise<z.infer<typeof schema.preCheckInAnswered>> {
  scope.require("stays.manage");
  const { stayGuestId } = input;
  await scope.write(async (tx) => {
    const values = await answer(scope, tx, input);
    await takePictures(scope, tx, stayGuestId);
    const { guest } = await tx.db.stayGuest.findFirstOrThrow({ where: { id: stayGuestId }, select: { guest: true } });
    const correction = {
      stayGuestId,
      guest: {
        name: values.name || guest.name,
        gender: guest.gender,
        nationality: values.nationality ?? guest.nationality,
        birthDate: values.birthDate ?? guest.birthDate?.toISOString().slice(0, 10) ?? null,
        documentType: (values.documentNumber && values.documentType) || guest.documentType,
        documentNumber: values.documentNumber || null,
        mobile: guest.mobile,
        email: guest.email,
      },
    };
    await correctGuestIn(scope, tx, correction, { sentByGuest: true });
    tx.audit({ action: "preCheckIn.takeOver", entity: "stayGuest", entityId: stayGuestId });
  });
  return { stayGuestId };
}

/** Deletes what a guest sent without using it. @throws as `takeOverPreCheckIn` */
export async function discardPreCheckIn(
  scope: Scope,
  input: Answer,
): Promise<z.infer<typeof schema.preCheckInAnswered>> {
  scope.require("stays.manage");
  const { stayGuestId } = input;
  await scope.write(async (tx) => {
    await answer(scope, tx, input);
    await discardPictures(tx, stayGuestId);
    tx.audit({ action: "preCheckIn.discard", entity: "stayGuest", entityId: stayGuestId });
  });
  return { stayGuestId };
}
