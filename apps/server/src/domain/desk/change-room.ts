import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { moveAccess } from "../access/public.ts";
import { postExchange, readAccount } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { markRoomDirty } from "../property/public.ts";
import {
  checkCharged,
  checkExpected,
  checkReady,
  moveStay,
  type OfStay,
  priceExchange,
  readLines,
  selectRoomForUpdate,
  selectStayForUpdate,
  withStayId,
} from "../stays/public.ts";

/** Ends the occupancy now and starts one in the new room for the rest; the old room is marked for cleaning. */
export async function changeRoomIn(
  scope: Scope,
  tx: Transaction,
  input: z.infer<typeof schema.changeRoomInput>,
): Promise<z.infer<typeof schema.roomChanged>> {
  const now = scope.now();
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved", "checked_in");
  const inHouse = stay.state === "checked_in";
  if (stay.roomId === input.roomId) {
    throw new DomainError("invalid_input", {}, { roomId: { key: "validation.sameRoom" } });
  }
  if (inHouse && Date.parse(stay.endsAt) <= now.getTime()) throw new DomainError("stay_expired");
  const room = await selectRoomForUpdate(scope, tx.sql, input.roomId);
  if (inHouse) checkReady(room, input.confirmDirty);
  const cut = inHouse ? now.toISOString() : stay.startsAt;
  const charged = await readLines(tx.sql, stay.id);
  const { chargedMinor, roomChargedMinor, owedMinor } = await readAccount(tx.sql, stay.id);
  const { credit, charge, differenceMinor } = priceExchange(
    charged,
    roomChargedMinor,
    room,
    stay,
    cut,
    scope.hotel,
    input.agreedTotalMinor,
  );
  checkExpected(input.expectedDifferenceMinor, differenceMinor);
  checkCharged(chargedMinor + differenceMinor);

  const { disableOldCards } = input;
  const occupancyId = await moveStay(scope, tx, stay, { roomId: room.id, cut, disableOldCards });
  await moveAccess(scope, tx, stay, { roomId: room.id, startsAt: cut });
  if (inHouse) await markRoomDirty(tx, stay.roomId);

  const entryId = await postExchange(scope, tx, {
    stayId: stay.id,
    differenceMinor,
    owedMinor,
    channel: input.channel,
    lines: [
      ...credit.map((line) => ({ ...line, occupancyId: stay.occupancyId })),
      ...charge.map((line) => ({ ...line, occupancyId })),
    ],
  });
  tx.audit({
    action: "stay.change_room",
    entity: "stay",
    entityId: stay.id,
    before: { roomId: stay.roomId },
    after: { roomId: room.id, differenceMinor, disableOldCards },
  });
  const previous = { previousRoomId: stay.roomId, previousRoomName: stay.roomName };
  await announceStay(scope, tx, "stay.room_changed", stay.id, previous);
  tx.boardChanged([stay.roomId, room.id]);
  return { stayId: stay.id, roomId: room.id, entryId, differenceMinor };
}

/** Ends the occupancy now and starts one in the new room for the rest; the old room is marked for cleaning. */
export async function changeRoom(
  scope: Scope,
  input: OfStay<z.infer<typeof schema.changeRoomInput>>,
): Promise<z.infer<typeof schema.roomChanged>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  const change = await withStayId<z.infer<typeof schema.changeRoomInput>>(scope, input);
  return scope.write((tx) => changeRoomIn(scope, tx, change));
}
