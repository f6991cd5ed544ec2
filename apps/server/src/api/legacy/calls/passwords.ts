import * as s from "@innkey/shared/schemas/access/passcodes";
import { KEY_STATUSES, LOCK_COMMAND_STATES, PASSCODE_TYPES } from "@innkey/shared/words";
import { z } from "zod";
import * as queries from "../../../domain/access/passcodes/passcodes.queries.ts";
import * as passcodes from "../../../domain/access/passcodes/passcodes.service.ts";
import { call, type SignedInCaller } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const type = f.choice(PASSCODE_TYPES);
const code = f.name(6, "482913");
const period = { start: f.time().optional(), end: f.time(1_772_532_000).optional() };
const state = out.choice(KEY_STATUSES, "active");
const issued = z.strictObject({
  id: out.id(71),
  password: out.text("482913"),
  state: out.choice(["pending", "active"]),
});
const issuing = ["code_weak", "code_taken", "codes_unused", "lock_missing", "lock_not_set_up"] as const;

const asIssued = ({ passcodeId, code, status }: Awaited<ReturnType<typeof passcodes.create>>) => ({
  id: passcodeId,
  password: code,
  state: status,
});

const HIDDEN = "******";
/** Fields of a code in every answer. */
export const passwordRow = {
  id: out.id(71),
  password: out.text(HIDDEN),
  type: out.choice(PASSCODE_TYPES),
  name: out.text("Ann Lee"),
  start: out.time(),
  end: out.time(1_772_532_000).nullable(),
  permanent: out.flag(0),
  state,
  fail_reason: out.text("offline"),
};

type ListInput = Partial<z.input<typeof s.passcodesInput>> & { page: number; page_size: number };

async function listed({ scope }: SignedInCaller, input: ListInput, includesCode: boolean) {
  const { rows, total } = await queries.list(scope, s.passcodesInput.parse({ ...input, ...f.pageOf(input) }));
  const codes =
    includesCode && scope.can("passcodes.issue")
      ? await passcodes.revealAll(
          scope,
          rows.map(({ id }) => id),
        )
      : null;
  const list = rows.map((passcode) => passwordOf(passcode, codes?.get(passcode.id), input.roomId));
  return f.pageAnswer(list, total, input);
}

/**
 * Returns a code's fields for answers. Without `digits` the code is hidden; without `roomId` the state covers all its
 * doors.
 */
export function passwordOf(passcode: s.PasscodeRow, digits?: string, roomId?: number) {
  return {
    id: passcode.id,
    password: digits ?? HIDDEN,
    type: passcode.type,
    name: passcode.person,
    start: f.seconds(passcode.validFrom),
    end: f.optionalSeconds(passcode.validTo),
    permanent: f.bit(passcode.validTo === null && passcode.type !== "one_time"),
    state: passcode.standing,
    fail_reason: failReasonOf(passcode, roomId),
  };
}

function failReasonOf({ credentials }: s.PasscodeRow, roomId: number | undefined): string {
  const failed = credentials.find((at) => at.state === "failed" && (roomId === undefined || at.roomId === roomId));
  return failed?.failReason ?? "";
}

/** Calls for door codes. */
export const passwordsCalls = [
  call("room/password", {
    summary:
      "Creates a code for a person at one door. `air`: chosen here and sent to the lock; `custom`: `password` is sent to the lock; `one_time`: the lock knows it already and accepts it once. The first two need `end` or `permanent`.",
    changes: true,
    input: {
      room_id: f.id(101),
      type,
      password: code.optional(),
      name: f.name(120, "Ann Lee"),
      ...period,
      permanent: f.flag(0).default(false),
    },
    output: issued,
    names: { roomIds: "room_id" },
    errors: issuing,
    async run({ scope }, input) {
      const { type, room_id: roomId, name: person, password, start: validFrom, end: validTo, permanent } = input;
      const request = { type, roomIds: [roomId], person, code: password, validFrom, validTo, permanent };
      return asIssued(await passcodes.create(scope, s.createEndingPasscodeInput.parse(request)));
    },
  }),
  call("room/addPassword", {
    summary:
      "Creates a code for a guest at the door of their room, valid during the stay; `start` and `end` narrow that until the stay's period changes. The code ends with the stay.",
    changes: true,
    input: { manage_id: f.id(21), type, password: code.optional(), ...period },
    output: issued,
    names: { stayId: "manage_id" },
    errors: [...issuing, "stay_expired", "state_conflict"],
    async run({ scope }, { manage_id: stayGuestId, password, start: validFrom, end: validTo, ...rest }) {
      const request = { stayGuestId, type: rest.type, code: password, validFrom, validTo };
      return asIssued(await passcodes.createForGuest(scope, request));
    },
  }),
  call("room/passwordList", {
    summary:
      "The codes that open a room's door or are being sent to it, newest first. Callers who may issue codes see the digits, which is recorded; others see asterisks. `fail_reason` is the lock's reason for rejecting a code.",
    input: {
      room_id: f.id(101),
      type: type.optional(),
      state: f.choice(KEY_STATUSES, "active").optional(),
      ...f.paging,
    },
    output: f.listOf(passwordRow),
    run(caller, { room_id: roomId, state: displayStatus, ...rest }) {
      return listed(caller, { ...rest, roomId, ...(displayStatus && { standing: displayStatus }) }, true);
    },
  }),
  call("room/passwordHistory", {
    summary: "Codes that ended: revoked, used or expired. Their digits are not shown.",
    input: { room_id: f.id(101).optional(), ...f.paging },
    output: f.listOf(passwordRow),
    run(caller, { room_id: roomId, ...rest }) {
      return listed(caller, { ...rest, ...(roomId !== undefined && { roomId }), state: "ended" }, false);
    },
  }),
  call("room/callbackPassword", {
    summary:
      "Status of a code, for polling until its lock has answered. `command_state` is that of the latest command about the code; null if no lock needed a command.",
    input: { id: f.id(71) },
    output: z.strictObject({
      id: out.id(71),
      state,
      command_state: out.choice(LOCK_COMMAND_STATES, "acknowledged").nullable(),
      update_time: out.time(),
    }),
    names: { passcodeId: "id" },
    async run({ scope }, { id }) {
      const status = await queries.readStatus(scope, s.passcodeRef.parse({ passcodeId: id }));
      return {
        id,
        state: status.standing,
        command_state: status.commandState,
        update_time: f.seconds(status.changedAt),
      };
    },
  }),
  call("room/deletePassword", {
    summary: "Revokes a code; `state` is `revoking` until every lock that has it confirms.",
    changes: true,
    input: { id: f.id(71) },
    output: z.strictObject({ state: out.choice(["revoking", "revoked"]) }),
    names: { passcodeId: "id" },
    errors: ["state_conflict"],
    async run({ scope }, { id }) {
      const { standing: displayStatus } = await passcodes.remove(scope, s.passcodeRef.parse({ passcodeId: id }));
      return { state: displayStatus };
    },
  }),
];
