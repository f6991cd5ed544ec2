import { DomainError } from "@innkey/shared/errors";
import { MAX_DOORS_PER_KEY } from "@innkey/shared/limits";
import * as s from "@innkey/shared/schemas/access/faces";
import { v } from "@innkey/shared/schemas/fields";
import { KEY_STATUSES } from "@innkey/shared/words";
import { z } from "zod";
import * as queries from "../../../domain/access/faces/faces.queries.ts";
import * as faces from "../../../domain/access/faces/faces.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { facePictureUrl } from "../files.ts";

const { out } = f;

/** Calls that grant and revoke the access of faces to doors. */
export const lockFacesCalls = [
  call("lock/empowerFace", {
    summary:
      "Lets a face open doors until `end`, or `permanent`; existing access gets the new period. `ids` are the permissions, one per lock, ordered by lock id.",
    changes: true,
    input: {
      faceId: f.id(31),
      lock_ids: f.ids(MAX_DOORS_PER_KEY),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      permanent: f.flag(0).default(false),
    },
    output: z.strictObject({
      ids: z.array(z.int()).register(f.fieldNotes, { type: "array of integers", example: [51, 52] }),
    }),
    names: { roomIds: "lock_ids" },
    errors: ["state_conflict"],
    async run({ scope }, { faceId, lock_ids: lockIds, start: validFrom, end: validTo, permanent }) {
      const request = s.grantFaceAtLocksInput.parse({ faceId, lockIds, validFrom, validTo, permanent });
      const { credentialIds } = await faces.grantAtLocks(scope, request);
      return { ids: credentialIds };
    },
  }),
  call("lock/empowerFaceList", {
    summary: "The faces that open a lock's door, or with `faceId` the doors that a face opens.",
    input: { lock_id: f.id(7).optional(), faceId: f.id(31).optional() },
    output: f.listOf({
      id: out.id(51),
      faceId: out.id(31),
      lock_id: out.id(7),
      room_name: out.text("101"),
      note: out.text("Ann, night shift"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
      state: out.choice(KEY_STATUSES, "active"),
    }),
    async run({ scope }, { lock_id: lockId, faceId }) {
      const grants = await queries.grantsOfLockOrFace(scope, s.grantsOfLockOrFaceInput.parse({ lockId, faceId }));
      const list = grants.map((grant) => ({
        id: grant.id,
        faceId: grant.faceId ?? 0,
        lock_id: grant.lockId,
        room_name: grant.roomName ?? "",
        note: grant.note || grant.label,
        start: f.seconds(grant.validFrom),
        end: f.optionalSeconds(grant.validTo),
        state: grant.displayStatus,
      }));
      return f.pageAnswer(list, list.length, { page: 1, page_size: list.length });
    },
  }),
  call("lock/deleteEmpowerFace", {
    summary: "Revokes a face's access at one door; its state is `revoking` until the lock confirms.",
    changes: true,
    input: { id: f.id(51) },
    output: f.nothing,
    names: { credentialId: "id" },
    errors: ["state_conflict"],
    async run({ scope }, { id: credentialId }) {
      await faces.withdrawGrant(scope, s.credentialRef.parse({ credentialId }));
      return {};
    },
  }),
];

/** Limit of the image text that fits into a large request (base64 within base64). */
const MAX_IMAGE_TEXT = 6_300_000;
const DATA_URI = /^data:image\/(?:jpeg|jpg|png);base64,/i;
const NOTE = "Ann, night shift";

/** Names the input field with which the picture came. */
const inField = (field: "image" | "key") => (error: unknown) => {
  const message =
    error instanceof DomainError &&
    (error.code === "file_not_image" ? { key: "errors.file_not_image" } : error.fields?.file);
  if (!message) throw error;
  throw new DomainError(error.code, error.params, { [field]: message });
};

/** Calls for faces of people, to enrol at locks. */
export const facesCalls = [
  call("user/uploadTFaceImg", {
    summary:
      "Enrols a face from an uploaded picture (`key`, of oss/token) or from `image` (base64 of a JPEG or PNG, with or without the prefix of a data URI). The picture has to show exactly one face. The caller confirms that the person consented; this is recorded.",
    changes: true,
    large: true,
    input: {
      key: f.name(200, "uploads/1/17/0b6c1c1e-5d0c-4a43-8b7e-0f9d7a1c2b3d").optional(),
      image: f.name(MAX_IMAGE_TEXT, "data:image/jpeg;base64,/9j/4AAQ…").optional(),
      note: f.name(100, NOTE),
    },
    output: z.strictObject({ faceId: out.id(31) }),
    errors: ["file_not_image", "file_too_large", "face_check_failed"],
    async run({ services, scope }, { key, image, note }) {
      const noted = s.enrolFaceInput.pick({ note: true }).parse({ note });
      const { files, uploads } = services;
      if (key !== undefined) {
        const fileId = await uploads.storePicture(scope, files, "face", key).catch(inField("key"));
        return faces.enrol(scope, s.enrolFaceInput.parse({ ...noted, fileId, consent: true }));
      }
      if (image === undefined) throw new DomainError("invalid_input", {}, { image: { key: v.required } });
      const bytes = Buffer.from(image.replace(DATA_URI, ""), "base64");
      const { id: fileId } = await files.store(scope, "face", bytes).catch(inField("image"));
      return faces.enrol(scope, s.enrolFaceInput.parse({ ...noted, fileId, consent: true }));
    },
  }),
  call("user/faceImgList", {
    summary:
      "Enrolled faces, newest first. `image` is a link that works for five minutes; `lock_count` counts the locks that have the face or will get it.",
    input: { keyword: f.text(60, "Ann").optional(), ...f.paging },
    names: { query: "keyword" },
    output: f.listOf({
      faceId: out.id(31),
      note: out.text(NOTE),
      image: out.text("https://hotel.example/manage/files/1/0b6c1c1e-5d0c-4a43-8b7e-0f9d7a1c2b3d?expires=…"),
      lock_count: out.int(2),
      create_time: out.time(),
    }),
    async run(caller, input) {
      const { scope } = caller;
      const { rows, total } = await queries.list(
        scope,
        s.facesInput.parse({ query: input.keyword, ...f.pageOf(input) }),
      );
      const list = rows.map((row) => ({
        faceId: row.id,
        note: row.note,
        image: facePictureUrl(caller, row.imageUrl),
        lock_count: row.lockCount,
        create_time: f.seconds(row.createdAt),
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
  call("user/deleteTFaceImg", {
    summary: "Erases a face: its picture is deleted at once, and its locks are instructed to delete it.",
    changes: true,
    input: { faceId: f.id(31) },
    output: f.nothing,
    async run({ services, scope }, input) {
      await faces.remove(scope, services.files, s.faceRef.parse(input));
      return {};
    },
  }),
  call("user/updateFaceNote", {
    summary: "Changes the note of a face.",
    changes: true,
    input: { faceId: f.id(31), note: f.name(100, NOTE) },
    output: f.nothing,
    async run({ scope }, input) {
      await faces.rename(scope, s.faceNoteInput.parse(input));
      return {};
    },
  }),
  call("user/updateLockFaceNote", {
    summary:
      "Changes the note of one permission of a face, as returned by empowerFace; if empty, the note of the face applies.",
    changes: true,
    input: { id: f.id(51), note: f.text(100, "Until the keys are back") },
    output: f.nothing,
    names: { credentialId: "id" },
    errors: ["state_conflict"],
    async run({ scope }, { id: credentialId, note }) {
      await faces.describeGrant(scope, s.grantNoteInput.parse({ credentialId, note }));
      return {};
    },
  }),
];
