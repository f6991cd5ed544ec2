import { GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { MAX_GRANTED_ROOMS } from "@innkey/shared/limits";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/identity/staff";
import { z } from "zod";
import { removeStaff } from "../../../domain/desk/public.ts";
import * as permits from "../../../domain/identity/staff/permissions.service.ts";
import * as queries from "../../../domain/identity/staff/staff.queries.ts";
import * as staff from "../../../domain/identity/staff/staff.service.ts";
import { call, type SignedInCaller } from "../endpoint.ts";
import * as f from "../fields.ts";
import { GENDERS } from "../words.ts";

const { out } = f;
const ROLES = ["administrator", "staff"] as const;

/** The default page size is the maximum, so a call without a page returns all rooms. */
const roomsInput = {
  staff_id: f.id(),
  page: f.paging.page,
  page_size: f.int(1, MAX_GRANTED_ROOMS, MAX_GRANTED_ROOMS).default(MAX_GRANTED_ROOMS),
};
const roomsOutput = f.listOf({
  room_id: out.id(),
  room_name: out.text("101"),
  category_id: out.id(3).nullable(),
  category_name: out.text("Sea side"),
  start: out.time().nullable(),
  end: out.time(1_772_532_000).nullable(),
});
type RoomsInput = z.output<z.ZodObject<typeof roomsInput>>;

async function roomsOf({ scope }: SignedInCaller, input: RoomsInput, granted: boolean) {
  const { rows, total } = await queries.listRoomsOfMember(scope, input.staff_id, granted, f.pageOf(input));
  const list = rows.map((room) => ({
    room_id: room.roomId,
    room_name: room.roomName,
    category_id: room.groupId,
    category_name: room.groupName ?? "",
    start: f.optionalSeconds(room.startsAt),
    end: f.optionalSeconds(room.endsAt),
  }));
  return f.pageAnswer(list, total, input);
}

const capabilities = z
  .array(z.enum(GRANTABLE_CAPABILITIES, v.choice), v.required)
  .max(GRANTABLE_CAPABILITIES.length, v.tooLong)
  .register(f.fieldNotes, { type: "array of capabilities", example: ["rooms.view", "stays.view"] });

/** Calls for staff members and their rooms. */
export const staffCalls = [
  call("room/staffList", {
    summary: "All staff members of the hotel, owners first.",
    input: { keyword: f.text(100, "Ann").optional(), ...f.paging },
    output: f.listOf({
      id: out.id(),
      name: out.text("Ann Lee"),
      gender: out.choice(GENDERS).nullable(),
      nationality: out.text("DE"),
      birth: out.date("1990-05-17").nullable(),
      mobile: out.text("13800000001"),
      email: out.text("ann@hotel.example"),
      role: out.choice(["owner", "administrator", "staff"]),
      freeze: out.flag(0),
      room_count: out.int(12),
      register_time: out.time(),
    }),
    async run({ scope }, input) {
      const { keyword } = input;
      const { rows, total } = await queries.page(scope, s.staffPageInput.parse({ keyword, ...f.pageOf(input) }));
      const list = rows.map((row) => ({
        id: row.operatorId,
        name: row.name,
        gender: row.gender,
        nationality: row.nationality ?? "",
        birth: row.birthDate,
        mobile: row.mobile ?? "",
        email: row.email ?? "",
        role: row.role,
        freeze: f.bit(row.frozen),
        room_count: row.roomCount,
        register_time: f.seconds(row.registeredAt),
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
  call("room/staffManageRoomList", {
    summary: "The rooms granted to a staff member, with their periods; owners and administrators have all rooms.",
    input: roomsInput,
    output: roomsOutput,
    run: (caller, input) => roomsOf(caller, input, true),
  }),
  call("room/staffManageRoomList1", {
    summary: "The rooms not granted to a staff member.",
    input: roomsInput,
    output: roomsOutput,
    run: (caller, input) => roomsOf(caller, input, false),
  }),
  call("room/addStaff", {
    summary:
      "Creates a staff member; with `id`, changes one (omitted fields are unchanged). The account is `mobile`, otherwise `email`; it and a password are required for a new member.",
    changes: true,
    input: {
      id: f.id().optional(),
      name: f.name(80, "Ann Lee"),
      gender: f.choice(GENDERS, "female").optional(),
      nationality: f.name(2, "DE").optional(),
      birth: f.date("1990-05-17").optional(),
      mobile: f.name(254, "13800000002").optional(),
      email: f.name(254, "ann@hotel.example").optional(),
      password: f.name(200, "new secret").optional(),
      role: f.choice(ROLES, "staff").optional(),
    },
    output: z.strictObject({ id: out.id() }),
    names: { password: "password" },
    errors: ["account_taken"],
    async run({ services, scope }, { id: operatorId, birth: birthDate, ...fields }) {
      const saved = await staff.saveFields(scope, services, { ...fields, operatorId, birthDate });
      return { id: saved.operatorId };
    },
  }),
  call("room/deleteStaff", {
    summary: "Removes a staff member and ends their sessions; their records keep their name.",
    changes: true,
    input: { id: f.id() },
    output: f.nothing,
    errors: ["last_owner"],
    async run({ services, scope }, { id }) {
      await removeStaff(scope, services.files, id);
      return {};
    },
  }),
  call("room/addStaffManageLock", {
    summary: "Grants a staff member more rooms, permanently, and more capabilities; existing ones are kept.",
    changes: true,
    input: { staff_id: f.id(), room_ids: f.ids(MAX_GRANTED_ROOMS), capabilities: capabilities.optional() },
    output: f.nothing,
    errors: ["state_conflict"],
    async run({ scope }, { staff_id: operatorId, room_ids: roomIds, capabilities: more }) {
      await permits.addPermissions(scope, s.addPermitInput.parse({ operatorId, roomIds, capabilities: more }));
      return {};
    },
  }),
  call("user/setManager", {
    summary: "Makes a staff member an administrator, or an administrator a staff member without permissions.",
    changes: true,
    input: { user_id: f.id(), is_manager: f.flag() },
    output: f.nothing,
    errors: ["state_conflict"],
    async run({ scope }, { user_id: operatorId, is_manager: manages }) {
      const role = manages ? "administrator" : "staff";
      await permits.setRole(scope, s.operatorRoleInput.parse({ operatorId, role }));
      return {};
    },
  }),
  call("user/freezeUser", {
    summary: "Freezes an account, which ends its sessions at once, or unfreezes it.",
    changes: true,
    input: { user_id: f.id(), freeze: f.flag() },
    output: f.nothing,
    errors: ["state_conflict", "last_owner"],
    async run({ scope }, { user_id: operatorId, freeze: frozen }) {
      await staff.setFrozen(scope, s.freezeOperatorInput.parse({ operatorId, frozen }));
      return {};
    },
  }),
];
