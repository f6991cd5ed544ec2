import { DomainError } from "@innkey/shared/errors";
import * as s from "@innkey/shared/schemas/access/faces";
import { v } from "@innkey/shared/schemas/fields";
import { KEY_STANDINGS } from "@innkey/shared/words";
import { z } from "zod";
import * as queries from "../../../domain/access/faces/faces.queries.ts";
import * as grants from "../../../domain/access/faces/grants.service.ts";
import { doorsOfLocks, roomsOfLocks } from "../../../domain/access/locks/lock-doors.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { keyStateOf } from "../words.ts";

const { out } = f;
/** Maximum number of doors per call for one face. */
const MAX_LOCKS = 50;

/** Calls that grant and revoke the access of faces to doors. */
export const lockFacesCalls = [
  call("lock/empowerFace", {
    summary:
      "Lets a face open doors until end, or permanent; where it may already, the period is the new one. ids are the permissions, one for each lock, in the order of the locks' ids.",
    changes: true,
    input: {
      faceId: f.id(31),
      lock_ids: f.ids(MAX_LOCKS),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      permanent: f.flag(0).default(false),
    },
    output: z.strictObject({
      ids: z.array(z.int()).register(f.fieldNotes, { type: "array of integers", example: [51, 52] }),
    }),
    names: { roomIds: "lock_ids" },
    errors: ["state_conflict"],
    async run({ scope }, { faceId, lock_ids: lockIds, start: validFrom, end, permanent }) {
      if (end === undefined && !permanent) throw new DomainError("invalid_input", {}, { end: { key: v.required } });
      const roomIds = await roomsOfLocks(scope, lockIds);
      const validTo = permanent ? null : end;
      const granted = await grants.grant(scope, s.grantFaceInput.parse({ faceId, roomIds, validFrom, validTo }));
      return { ids: granted.credentialIds };
    },
  }),
  call("lock/empowerFaceList", {
    summary: "The faces that open a lock's door, or with faceId the doors that a face opens.",
    input: { lock_id: f.id(7).optional(), faceId: f.id(31).optional() },
    output: f.listOf({
      id: out.id(51),
      faceId: out.id(31),
      lock_id: out.id(7),
      room_name: out.text("101"),
      note: out.text("Ann, night shift"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
      state: out.choice(KEY_STANDINGS, "active"),
    }),
    async run({ scope }, { lock_id: lockId, faceId }) {
      if (lockId !== undefined) await doorsOfLocks(scope, [lockId]);
      else if (faceId === undefined) throw new DomainError("invalid_input", {}, { lock_id: { key: v.required } });
      if (faceId !== undefined) await queries.requireVisibleFace(scope, faceId);
      const grants = await queries.grants(scope, s.faceGrantsInput.parse({ lockId, faceId }));
      const now = scope.now().toISOString();
      const list = grants.map((grant) => ({
        id: grant.id,
        faceId: grant.faceId ?? 0,
        lock_id: grant.lockId,
        room_name: grant.roomName ?? "",
        note: grant.note || grant.label,
        start: f.seconds(grant.validFrom),
        end: f.optionalSeconds(grant.validTo),
        state: keyStateOf(grant, now),
      }));
      return f.pageAnswer(list, list.length, { page: 1, page_size: list.length });
    },
  }),
  call("lock/deleteEmpowerFace", {
    summary: "Takes a face's permission back at one door; until the lock said that it is gone, its state is revoking.",
    changes: true,
    input: { id: f.id(51) },
    output: f.nothing,
    names: { credentialId: "id" },
    errors: ["state_conflict"],
    async run({ scope }, { id: credentialId }) {
      await grants.withdrawGrant(scope, s.credentialRef.parse({ credentialId }));
      return {};
    },
  }),
];
