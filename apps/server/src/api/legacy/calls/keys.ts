import { API_SCOPES } from "@innkey/shared/capabilities";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/messaging";
import { z } from "zod";
import * as keys from "../../../domain/identity/api-keys/api-keys.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;

const scopes = z
  .array(z.enum(API_SCOPES, v.choice), v.required)
  .min(1, v.required)
  .max(API_SCOPES.length, v.tooLong)
  .register(f.fieldNotes, { type: "array of scopes", example: [...keys.GATEWAY_SCOPES] });

/** Calls for API keys. */
export const keysCalls = [
  call("user/apikey", {
    summary:
      "Creates a key for another program; its secret is shown once. Without `scopes` it has those of the card-service gateway: rooms.view, cards.view, cards.issue.",
    changes: true,
    input: {
      name: f.name(80, "Cleaning app"),
      scopes: scopes.optional(),
      expire: f.time(1_804_067_999).optional(),
    },
    output: z.strictObject({
      id: out.id(),
      key: out.text("ik_3f9a0c51d2e84b76"),
      secret: out.text("mS0vJm3nq…"),
    }),
    names: { expiresAt: "expire" },
    errors: ["feature_off"],
    run: ({ scope }, { name, scopes, expire: expiresAt = null }) =>
      keys.createForGateway(scope, s.createKeyInput.partial({ scopes: true }).parse({ name, scopes, expiresAt })),
  }),
  call("user/apiKeyList", {
    summary: "The hotel's keys that were not revoked, valid ones first.",
    input: f.paging,
    output: f.listOf({
      id: out.id(),
      name: out.text("Cleaning app"),
      key: out.text("ik_3f9a0c51d2e84b76"),
      scopes: z
        .array(z.string())
        .register(f.fieldNotes, { type: "array of scopes", example: [...keys.GATEWAY_SCOPES] }),
      last_used_time: out.time().nullable(),
      expire: out.time(1_804_067_999).nullable(),
      create_time: out.time(),
    }),
    errors: ["feature_off"],
    async run({ scope }, input) {
      const rows = await keys.listUnrevoked(scope);
      const list = rows.map((row) => ({
        id: row.id,
        name: row.name,
        key: row.key,
        scopes: row.scopes,
        last_used_time: f.optionalSeconds(row.lastUsedAt),
        expire: f.optionalSeconds(row.expiresAt),
        create_time: f.seconds(row.createdAt),
      }));
      return f.pageOfAll(list, input);
    },
  }),
  call("user/apiKeyDel", {
    summary: "Revokes a key with immediate effect.",
    changes: true,
    input: { id: f.id() },
    output: f.nothing,
    errors: ["feature_off", "state_conflict"],
    async run({ scope }, input) {
      await keys.revoke(scope, s.keyRef.parse(input));
      return {};
    },
  }),
];
