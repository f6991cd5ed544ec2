import * as c from "@innkey/shared/schemas/access/cards";
import * as s from "@innkey/shared/schemas/access/locks";
import * as staffSchemas from "@innkey/shared/schemas/identity/staff";
import { CREDENTIAL_KINDS, KEY_STATUSES } from "@innkey/shared/words";
import { z } from "zod";
import * as cards from "../../../domain/access/cards/cards.queries.ts";
import { addLockManager, listLockManagers } from "../../../domain/access/locks/lock-managers.ts";
import { detail } from "../../../domain/access/locks/locks.queries.ts";
import { revokeGrant } from "../../../domain/identity/staff/permissions.service.ts";
import { LEGACY_CARD_KINDS, legacyCardKind } from "../card-kinds.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const lockId = f.id(7);

/** Credentials of one kind on a lock: `id` of the card, the code or the face's permission. */
const credentialList = z.array(
  z.strictObject({
    id: out.id(61),
    name: out.text("Ann Lee"),
    state: out.choice(KEY_STATUSES, "active"),
    fail_reason: out.text(),
    start: out.time(),
    end: out.time(1_772_532_000).nullable(),
  }),
);
const unmanaged = z.array(
  z.strictObject({
    slot: out.int(3).nullable(),
    kind: out.choice(CREDENTIAL_KINDS, "passcode"),
    name: out.text("Cleaning"),
    start: out.time().nullable(),
    end: out.time(1_772_532_000).nullable(),
  }),
);

/** Calls for the staff members who may open a lock and the credentials on it. */
export const locksCalls = [
  call("lock/managerList", {
    summary: "The staff members who were granted the lock's room, permanently or for a period.",
    input: { lock_id: lockId },
    output: f.listOf({
      id: out.id(41),
      user_id: out.id(),
      name: out.text("Ann Lee"),
      account: out.text("13800000001"),
      start: out.time().nullable(),
      end: out.time(1_772_532_000).nullable(),
    }),
    async run({ scope }, input) {
      const managers = await listLockManagers(scope, s.lockRef.parse({ lockId: input.lock_id }));
      const list = managers.map((manager) => ({
        id: manager.grantId,
        user_id: manager.operatorId,
        name: manager.name,
        account: manager.account,
        start: f.optionalSeconds(manager.startsAt),
        end: f.optionalSeconds(manager.endsAt),
      }));
      return f.pageAnswer(list, list.length, { page: 1, page_size: list.length });
    },
  }),
  call("lock/managerAddNew", {
    summary:
      "Grants a staff member the lock's room, by phone, e-mail or name; an existing grant gets the given period. It adds no capabilities.",
    changes: true,
    input: {
      lock_id: lockId,
      account: f.name(254, "13800000002"),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
    },
    output: z.strictObject({ id: out.id(41) }),
    names: { account: "account", startsAt: "start", endsAt: "end", grants: "end" },
    errors: ["state_conflict"],
    async run({ scope }, { lock_id: lockId, account, start: startsAt, end: endsAt }) {
      const grant = staffSchemas.lockManagerInput.parse({ lockId, account, startsAt, endsAt });
      const { grantId } = await addLockManager(scope, grant);
      return { id: grantId };
    },
  }),
  call("lock/managerDelete", {
    summary: "Revokes a staff member's grant of the room.",
    changes: true,
    input: { id: f.id(41) },
    output: f.nothing,
    names: { grantId: "id" },
    async run({ scope }, { id: grantId }) {
      await revokeGrant(scope, staffSchemas.grantRef.parse({ grantId }));
      return {};
    },
  }),
  call("lock/inLockList", {
    summary:
      "The credentials that were sent to a lock, newest first: cards by number, codes and faces, each until the lock confirms its removal. Cards that carry a written record are not stored in locks. `unmanaged` lists credentials on the lock that were not created here.",
    input: { lock_id: lockId },
    output: z.strictObject({ cards: credentialList, passwords: credentialList, faces: credentialList, unmanaged }),
    async run({ scope }, input) {
      const lock = await detail(scope, s.lockRef.parse({ lockId: input.lock_id }));
      const credentialsOfKind = (kind: s.CredentialRow["kind"]) =>
        lock.credentials
          .filter((credential) => credential.kind === kind)
          .map((credential) => ({
            id: credential.cardId ?? credential.passcodeId ?? credential.id,
            name: credential.label,
            state: credential.displayStatus,
            fail_reason: credential.failReason ?? "",
            start: f.seconds(credential.validFrom),
            end: f.optionalSeconds(credential.validTo),
          }));
      const others = lock.unmanaged.map(({ slot, kind, name, validFrom, validTo }) => ({
        ...{ slot, kind, name, start: f.optionalSeconds(validFrom), end: f.optionalSeconds(validTo) },
      }));
      return {
        cards: credentialsOfKind("card"),
        passwords: credentialsOfKind("passcode"),
        faces: credentialsOfKind("face"),
        unmanaged: others,
      };
    },
  }),
  call("lock/noteCardList", {
    summary: "The cards that are written for a lock, or stored in it, newest first.",
    input: { lock_id: lockId, ...f.paging },
    output: f.listOf({
      card_id: out.id(61),
      card_num: out.text("DA3CBC66"),
      cardNote: out.text("Housekeeping"),
      kind: out.choice(LEGACY_CARD_KINDS, "management"),
      state: out.choice(KEY_STATUSES, "active"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
    }),
    async run({ scope }, input) {
      const query = c.cardsInput.parse({ state: "all", ...f.pageOf(input) });
      const { rows, total } = await cards.listOfLock(scope, { ...query, lockId: input.lock_id });
      const list = rows.map((row) => ({
        card_id: row.id,
        card_num: row.uid,
        cardNote: row.note,
        kind: legacyCardKind(row.kind),
        state: row.standing,
        start: f.seconds(row.validFrom),
        end: f.optionalSeconds(row.validTo),
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
];
