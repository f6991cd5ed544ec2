import { prepareRoomCardInput } from "@innkey/shared/schemas/access/cards";
import { loginInput } from "@innkey/shared/schemas/identity/auth";
import { z } from "zod";
import { revoke } from "../../domain/access/cards/cards.service.ts";
import { prepareForRoom } from "../../domain/access/cards/room-cards.service.ts";
import { liveCardInRoom, type RoomCardRecord, roomRecords } from "../../domain/access/cards/room-records.queries.ts";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import { directory } from "../../domain/property/rooms/rooms.queries.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as f from "../legacy/fields.ts";

interface GatewayCall {
  method: "GET" | "POST";
  path: string;
  /** The call changes something: an identical repeat within 2 s is refused. */
  changes?: true;
  input: z.ZodObject;
  run(scope: Scope, input: never): Promise<unknown>;
}

/** Defines a call that needs a token; every call contains the hotel's id. */
function call<I extends z.ZodRawShape>(described: {
  method: "GET" | "POST";
  path: string;
  changes?: true;
  input: I;
  run(scope: Scope, input: z.output<z.ZodObject<I>>): Promise<unknown>;
}): GatewayCall {
  return {
    ...described,
    path: `/linQuan/${described.path}`,
    input: z.object({ hotelId: f.id(1), ...described.input }),
  };
}

const cardNum = f.name(40, "DA3CBC66");

/** Calls of the card-service gateway, for programs that write room cards themselves. */
export const gatewayCalls: readonly GatewayCall[] = [
  call({
    method: "GET",
    path: "getRoomListByHotelId",
    input: {},
    async run(scope) {
      const rooms = await directory(scope);
      return rooms.map(({ groupName, lockMac, ...room }) => ({
        ...room,
        groupName: groupName ?? "",
        lockMac: lockMac ?? "",
      }));
    },
  }),
  call({
    method: "POST",
    path: "writeRoomCard",
    changes: true,
    input: {
      roomId: f.id(),
      cardNum,
      startTime: f.time(),
      endTime: f.time(),
      guestName: f.text(100, "Ann Lee").optional(),
      disableOldCards: f.flag().default(false),
    },
    async run(scope, { roomId, cardNum: uid, startTime, endTime, guestName, disableOldCards }) {
      // These programs never ask for confirmation, so we always overwrite.
      const request = {
        roomId,
        uid,
        overwrite: true,
        note: guestName,
        validFrom: startTime,
        validTo: endTime,
        disableOldCards,
      };
      const card = await prepareForRoom(scope, prepareRoomCardInput.parse(request));
      return {
        recordId: card.cardId,
        sector: card.sector,
        block: card.dataBlock,
        keyType: card.keyType,
        sectorKey: card.sectorKey,
        writeData: card.data,
      };
    },
  }),
  call({
    method: "POST",
    path: "deleteRoomCard",
    changes: true,
    input: { roomId: f.id(), cardNum },
    async run(scope, { roomId, cardNum: number }) {
      await revoke(scope, { cardId: await liveCardInRoom(scope, roomId, number), reason: "by_hand" });
      return {};
    },
  }),
  call({
    method: "POST",
    path: "getAuthorizationRecord",
    input: {
      roomId: f.id().optional(),
      cardNum: cardNum.optional(),
      start: f.time().optional(),
      end: f.time().optional(),
      page: f.paging.page,
      pageSize: f.paging.page_size,
    },
    async run(scope, { roomId = null, cardNum: cardNumber = null, start: from = null, end: to = null, ...paging }) {
      const { rows, total } = await roomRecords(scope, { roomId, cardNumber, from, to, ...paging });
      return { list: rows.map(recordOf), total };
    },
  }),
];

function recordOf({ cardId, uid, validFrom, validTo, state, expired, createdAt, ...room }: RoomCardRecord) {
  return {
    recordId: cardId,
    ...room,
    cardNum: uid,
    startTime: f.seconds(validFrom),
    endTime: f.optionalSeconds(validTo),
    state: expired ? "expired" : state,
    createTime: f.seconds(createdAt),
  };
}

const keyLogin = z.object({ key: f.name(100, "ik_3f0c…"), secret: f.name(200, "…") });
const accountLogin = z.object({ account: f.name(254, "13800000001"), password: f.name(200, "secret") });

/**
 * Logs in and returns the token for later calls with its validity in seconds: an operator's session, or a pass for an
 * API key.
 */
export async function logIn(
  services: Services,
  visitor: Visitor,
  input: Readonly<Record<string, unknown>>,
): Promise<{ token: string; expires_in: number }> {
  if ("key" in input || "secret" in input) {
    const { key, secret } = keyLogin.parse(input);
    const { token, expiresInSeconds } = await services.keys.logIn(keyToken(key, secret), visitor);
    return { token, expires_in: expiresInSeconds };
  }
  const { token } = await services.auth.login.logIn(visitor, loginInput.parse(accountLogin.parse(input)));
  const { idleSeconds, maxSeconds } = services.auth.sessions.limits;
  return { token, expires_in: Math.min(idleSeconds, maxSeconds) };
}

/** Joins the two parts of a key; the first may already begin with "ik_". */
function keyToken(key: string, secret: string): string {
  return `ik_${key.replace(/^ik_/, "")}_${secret}`;
}
