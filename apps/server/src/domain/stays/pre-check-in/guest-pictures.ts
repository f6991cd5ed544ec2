import { DomainError } from "@innkey/shared/errors";
import type { guestLinkInput } from "@innkey/shared/schemas/stays/guest-links";
import type { GuestPictureKind, GuestPictures, guestPicturesDeleted } from "@innkey/shared/schemas/stays/pre-check-in";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { partyOfGuest } from "../stays/live-stay.ts";

interface PictureRef {
  stayGuestId: number;
  kind: GuestPictureKind;
}

const contextOf = ({ hotelId }: Scope, { stayGuestId, kind }: PictureRef): SealContext => ({
  column: "guest_picture.content_box",
  hotelId,
  row: `${stayGuestId},${kind}`,
});

/**
 * Stores pictures of a guest, in place of those of the same kind. The caller has redrawn them, and locked the stay.
 */
export async function savePictures(
  scope: Scope,
  tx: Transaction,
  stayGuestId: number,
  pictures: ReadonlyMap<GuestPictureKind, Uint8Array>,
): Promise<void> {
  const { hotelId } = scope;
  for (const [kind, bytes] of pictures) {
    const contentBox = scope.secrets.document.sealBytes(bytes, contextOf(scope, { stayGuestId, kind }));
    await tx.db.guestPicture.deleteMany({ where: { stayGuestId, kind } });
    await tx.db.guestPicture.create({ data: { hotelId, stayGuestId, kind, contentBox, sentAt: scope.now() } });
  }
}

/** Returns which pictures a guest has sent, without their content. @throws no_permission, not_found */
export async function listPictures(
  scope: Scope,
  { stayGuestId }: z.infer<typeof guestLinkInput>,
): Promise<GuestPictures> {
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const rows = await scope.reads.guestPicture.findMany({
    where: { stayGuestId },
    orderBy: { kind: "asc" },
    select: { kind: true, sentAt: true, takenAt: true },
  });
  return rows.map(({ kind, sentAt, takenAt }) => ({ kind, sentAt: sentAt.toISOString(), taken: takenAt !== null }));
}

/** Content types of the pictures, as they are stored. */
export const GUEST_PICTURE_TYPES: Record<GuestPictureKind, "image/png" | "image/webp"> = {
  signature: "image/png",
  document: "image/webp",
};

/** Returns a picture of a guest. It shows more than a document's number. @throws no_permission, not_found */
export async function openPicture(scope: Scope, picture: PictureRef): Promise<Buffer> {
  scope.require("guests.documents");
  scope.require("stays.view");
  await partyOfGuest(scope, picture.stayGuestId);
  const row = await scope.reads.guestPicture.findFirst({ where: { ...picture }, select: { contentBox: true } });
  if (!row) throw new DomainError("not_found");
  return openContent(scope, picture, row.contentBox);
}

/** A picture that a guest sent, with its content; null for callers who may not see documents. */
export interface PictureOfGuest {
  stayId: number;
  kind: GuestPictureKind;
  sentAt: string;
  content: Buffer | null;
}

/** Returns the pictures that a guest sent before each of their stays. The caller has checked the permission. */
export async function readPicturesOf(scope: Scope, guestId: number): Promise<PictureOfGuest[]> {
  const rows = await scope.reads.guestPicture.findMany({
    where: { stayGuest: { guestId } },
    orderBy: [{ stayGuestId: "asc" }, { kind: "asc" }],
    include: { stayGuest: { select: { stayId: true } } },
  });
  const maySee = scope.can("guests.documents");
  return rows.map(({ stayGuestId, stayGuest, kind, sentAt, contentBox }) => ({
    ...{ stayId: stayGuest.stayId, kind, sentAt: sentAt.toISOString() },
    content: maySee ? openContent(scope, { stayGuestId, kind }, contentBox) : null,
  }));
}

function openContent(scope: Scope, picture: PictureRef, box: Uint8Array): Buffer {
  const bytes = scope.secrets.document.openBytes(box, contextOf(scope, picture));
  if (!bytes) throw new Error("the picture was sealed with another secret key");
  return bytes;
}

/** Marks what a guest sent as taken over, so that it stays until their documents are erased. */
export async function takePictures(scope: Scope, tx: Transaction, stayGuestId: number): Promise<void> {
  await tx.db.guestPicture.updateMany({ where: { stayGuestId, takenAt: null }, data: { takenAt: scope.now() } });
}

/** Deletes what a guest sent and nobody has taken over. */
export async function discardPictures(tx: Transaction, stayGuestId: number): Promise<void> {
  await tx.db.guestPicture.deleteMany({ where: { stayGuestId, takenAt: null } });
}

/** Deletes the pictures of a guest that the desk has taken over. @throws no_permission, not_found */
export async function deletePictures(
  scope: Scope,
  { stayGuestId }: z.infer<typeof guestLinkInput>,
): Promise<z.infer<typeof guestPicturesDeleted>> {
  scope.require("stays.manage");
  await partyOfGuest(scope, stayGuestId);
  return scope.write(async (tx) => {
    const { count } = await tx.db.guestPicture.deleteMany({ where: { stayGuestId, takenAt: { not: null } } });
    const after = { pictures: count };
    if (count > 0) tx.audit({ action: "preCheckIn.deletePictures", entity: "stayGuest", entityId: stayGuestId, after });
    return { deleted: count };
  });
}

/**
 * Deletes what a guest sent before one stay or before each of them, details and pictures, also what was taken over. The
 * caller has checked the permission.
 */
export async function deleteSent(tx: Transaction, of: { id: number } | { guestId: number }): Promise<void> {
  await tx.db.guestPicture.deleteMany({ where: { stayGuest: of } });
  await tx.db.preCheckIn.deleteMany({ where: { stayGuest: of } });
}

/** Deletes the pictures of guests, for retention. The caller has chosen the guests. */
export async function deletePicturesOf(tx: Transaction, guestIds: readonly number[]): Promise<void> {
  await tx.db.guestPicture.deleteMany({ where: { stayGuest: { guestId: { in: [...guestIds] } } } });
}
