import { CardState, RoomStatus } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { prepareRoomCardInput } from "@innkey/shared/schemas/access/cards";
import { loginInput } from "@innkey/shared/schemas/identity/auth";
import { z } from "zod";
import { type RoomCardRecord, roomRecords } from "../../domain/access/cards/cards.queries.ts";
import { prepareForRoom, revokeInRoom } from "../../domain/access/cards/cards.service.ts";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import { directory } from "../../domain/property/rooms/rooms.queries.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as f from "../legacy/fields.ts";

export type Input = Readonly<Record<string, unknown>>;

export interface GatewayCall {
  method: "GET" | "POST";
  path: string;
  /** The call changes something: an identical repeat within 2 s is refused. */
  changes?: true;
  input: z.ZodObject;
  /** Its fields are answered in this order. */
  output: z.ZodType;
  run(scope: Scope, input: never): Promise<unknown>;
}

/** Defines a call that needs a token; every call contains the hotel's id. */
function call<I extends z.ZodRawShape, O extends z.ZodType>(described: {
  method: "GET" | "POST";
  path: string;
  changes?: true;
  input: I;
  output: O;
  run(scope: Scope, input: z.output<z.ZodObject<I>>): Promise<z.input<O>>;
}): GatewayCall {
  return {
    ...described,
    path: `/linQuan/${described.path}`,
    input: z.object({ hotelId: f.id(1), ...described.input }),
  };
}

/** Lets null and empty values count as absent. @throws invalid_input without fields if the input is no object */
export function withoutBlanks<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    const fields = value ?? {};
    if (typeof fields !== "object" || Array.isArray(fields)) throw new DomainError("invalid_input");
    return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null && field !== ""));
  }, schema);
}

const authorizationRecord = z.object({
  recordId: z.int(),
  roomId: z.int(),
  roomName: z.string(),
  guestName: z.string(),
  cardNum: z.string(),
  startTime: z.int(),
  endTime: z.int().nullable(),
  state: z.enum([...CardState.options, "expired"]),
  createTime: z.int(),
});

const cardNum = f.name(40, "DA3CBC66");

/** Calls of the card-service gateway, for programs that write room cards themselves. */
export const gatewayCalls: readonly GatewayCall[] = [
  call({
    method: "GET",
    path: "getRoomListByHotelId",
    input: {},
    output: z.array(
      z.object({
        roomId: z.int(),
        roomName: z.string(),
        status: RoomStatus,
        groupName: z.string(),
        lockMac: z.string(),
      }),
    ),
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
    output: z.object({
      recordId: z.int(),
      sector: z.int(),
      block: z.int(),
      keyType: z.enum(["A", "B"]),
      sectorKey: z.string(),
      writeData: z.string(),
    }),
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
    output: z.object({}),
    async run(scope, { roomId, cardNum: number }) {
      await revokeInRoom(scope, roomId, number);
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
    output: z.object({ list: z.array(authorizationRecord), total: z.int() }),
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
    state: expired ? ("expired" as const) : state,
    createTime: f.seconds(createdAt),
  };
}

const keyLogin = z.object({ key: f.name(100, "ik_3f0c…"), secret: f.name(200, "…") });
const accountLogin = z.object({ account: f.name(254, "13800000001"), password: f.name(200, "secret") });
/** Of a program's key, or else of an operator's account. */
export const loginFields = z
  .record(z.string(), z.unknown())
  .transform((fields) => ("key" in fields || "secret" in fields ? keyLogin.parse(fields) : accountLogin.parse(fields)));
export const loginAnswer = z.object({ token: z.string(), expires_in: z.int() });

/**
 * Logs in and returns the token for later calls with its validity in seconds: an operator's session, or a pass for an
 * API key.
 */
export async function logIn(
  services: Services,
  visitor: Visitor,
  input: z.output<typeof loginFields>,
): Promise<z.input<typeof loginAnswer>> {
  if ("key" in input) {
    const { token, expiresInSeconds } = await services.keys.logIn(input, visitor);
    return { token, expires_in: expiresInSeconds };
  }
  const { token, expiresInSeconds } = await services.auth.login.logIn(visitor, loginInput.parse(input));
  return { token, expires_in: expiresInSeconds };
}
