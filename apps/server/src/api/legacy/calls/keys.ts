import { API_SCOPES } from "@innkey/shared/capabilities";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/messaging";
import { z } from "zod";
import * as keys from "../../../domain/identity/api-keys/api-keys.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pageOfAll } from "../fields.ts";

const { out } = f;

/** Scopes that the card-service gateway needs, for which old keys were made. */
const GATEWAY_SCOPES = ["rooms.view", "cards.view", "cards.issue"] as const;

/** A token is `ik_<key id>_<secret>`; the secret may contain underscores. */
const TOKEN = /^(ik_[0-9a-f]+)_(.+)$/;

const scopes = z
  .array(z.enum(API_SCOPES, v.choice), v.required)
  .min(1, v.required)
  .max(API_SCOPES.length, v.tooLong)
  .register(f.fieldNotes, { type: "array of scopes", example: [...GATEWAY_SCOPES] });

/** Calls for API keys. */
export const keysCalls = [
  call("user/apikey", {
    summary:
      "A key for another program; its secret is told this once. Without scopes it may do what the card-service gateway needs: rooms.view, cards.view, cards.issue.",
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
    async run({ scope }, { name, scopes: requestedScopes = [...GATEWAY_SCOPES], expire: expiresAt = null }) {
      const { id, token } = await keys.create(
        scope,
        s.createKeyInput.parse({ name, scopes: requestedScopes, expiresAt }),
      );
      const [, key = "", secret = ""] = TOKEN.exec(token) ?? [];
      return { id, key, secret };
    },
  }),
  call("user/apiKeyList", {
    summary: "The hotel's keys, those that still open something first.",
    input: f.paging,
    output: f.listOf({
      id: out.id(),
      name: out.text("Cleaning app"),
      key: out.text("ik_3f9a0c51d2e84b76"),
      scopes: z.array(z.string()).register(f.fieldNotes, { type: "array of scopes", example: [...GATEWAY_SCOPES] }),
      last_used_time: out.time().nullable(),
      expire: out.time(1_804_067_999).nullable(),
      create_time: out.time(),
    }),
    errors: ["feature_off"],
    async run({ scope }, input) {
      const rows = await keys.list(scope);
      const list = rows
        .filter(({ state }) => state !== "revoked")
        .map((row) => ({
          id: row.id,
          name: row.name,
          key: `ik_${row.keyId}`,
          scopes: row.scopes,
          last_used_time: f.optionalSeconds(row.lastUsedAt),
          expire: f.optionalSeconds(row.expiresAt),
          create_time: f.seconds(row.createdAt),
        }));
      return pageOfAll(list, input);
    },
  }),
  call("user/apiKeyDel", {
    summary: "Takes a key back: from now on it opens nothing.",
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
