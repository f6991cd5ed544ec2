import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/locks";
import {
  type DeviceLinkInput,
  type DeviceLinkRow,
  encryptedBroker as encryptedBrokerOutput,
} from "@innkey/shared/schemas/access/locks";
import { v } from "@innkey/shared/schemas/fields";
import type { z } from "zod";
import { addressesAtEntry, mayReachWorld } from "../../../adapters/http/outside-request.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { linkAccessContext, linkUser, NO_PASSWORD, sealPassword } from "./device-access.ts";
import {
  baseOf,
  basesOverlap,
  type DeviceLinks,
  isUsableBase,
  type LinkKind,
  type LinkSettings,
  openSettings,
  sealSettings,
} from "./device-links.ts";

/** Answer to saving a link. Secrets are write-only here; an empty secret leaves the stored one unchanged. */
type Saved = z.infer<typeof schema.deviceLinkSaved>;
type LinkRef = z.infer<typeof schema.deviceLinkRef>;
/** State of the running process that the service uses. */
type LinkDeps = Pick<DeviceLinks, "brokerUrl" | "ownBroker" | "allowLoopback">;

const KINDS: readonly LinkKind[] = ["zigbee2mqtt", "ttlock", "home_assistant"];
const PASSWORD_BYTES = 24;
const SECRET_FIELDS = ["clientSecret", "passwordMd5", "callbackSecret"];
/** Advisory lock that every save takes, so that two hotels can't use the same topic at the same moment. */
const LINKS_LOCK = 7_411;

/** Returns the path to which TTLock's cloud reports a hotel's records. */
export const callbackPath = (callbackSecret: string): string => `/devices/ttlock/${callbackSecret}`;

/** Lists every kind of link, whether it is on or off. @throws no_permission */
export async function list(scope: Scope): Promise<DeviceLinkRow[]> {
  scope.require("locks.manage");
  const rows = await scope.reads.deviceLink.findMany();
  return KINDS.map((kind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    const settings = row ? openSettings(scope.secrets.lock, { ...row, box: row.settingsBox }) : null;
    return {
      kind,
      on: row !== undefined,
      settings: settings ? visibleSettings(settings) : {},
      user: row && kind !== "ttlock" ? linkUser(scope.hotelId, kind) : null,
      lastError: row?.lastError ?? null,
      lastSeenAt: row?.lastSeenAt?.toISOString() ?? null,
      callbackPath: settings?.kind === "ttlock" ? callbackPath(settings.callbackSecret) : null,
    };
  });
}

/**
 * Creates or changes a link. The broker password of a new link is returned only this once. @throws no_permission, also
 * if anyone but an owner sets a cloud's address; invalid_input; address_taken for a topic that overlaps another link's
 */
export async function save(scope: Scope, input: DeviceLinkInput, deps: LinkDeps): Promise<Saved> {
  scope.require("locks.manage");
  if (input.kind === "ttlock") {
    // Only an owner may do this, because this server will connect to the address.
    scope.requireOwner();
    await checkAddress(input.baseUrl, deps.allowLoopback);
  }
  const { kind } = input;
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const created = await scope.write(async (tx) => {
    await tx.sql.rows("SELECT pg_advisory_xact_lock($2::int, 0 * $1::int)::text", LINKS_LOCK);
    const row = await tx.db.deviceLink.findFirst({ where: { kind } });
    const before = row ? openSettings(scope.secrets.lock, { ...row, box: row.settingsBox }) : null;
    const settings = withStoredSecrets(input, before);
    await checkBase(scope, tx, settings);
    const settingsBox = sealSettings(scope.secrets.lock, scope.hotelId, settings);
    const entry = { entity: "link", entityId: kind };
    if (row) {
      await tx.db.deviceLink.updateMany({ where: { kind }, data: { settingsBox, lastError: null } });
      const changes = changesOf({ ...before }, { ...settings }, SECRET_FIELDS);
      if (changes) tx.audit({ action: "link.save", ...entry, ...changes });
    } else {
      const context = linkAccessContext(scope.hotelId, kind);
      const access = kind === "ttlock" ? NO_PASSWORD : sealPassword(scope.secrets.lock, password, context);
      await tx.db.deviceLink.create({
        data: { hotelId: scope.hotelId, kind, settingsBox, ...access, createdAt: scope.now() },
      });
      tx.audit({ action: "link.save", ...entry, after: visibleSettings(settings) });
    }
    await notifyLinksChanged(tx);
    return !row;
  });
  const onBroker = kind !== "ttlock";
  return {
    kind,
    url: onBroker ? deps.brokerUrl : null,
    user: onBroker ? linkUser(scope.hotelId, kind) : null,
    password: onBroker && deps.ownBroker && created ? password : null,
    makeUser: onBroker && !deps.ownBroker,
  };
}

type EncryptedBroker = z.infer<typeof encryptedBrokerOutput>;

/**
 * Returns the address at which locks and gateways connect with encryption. If the embedded broker runs in another
 * process, the address comes from the heartbeat of that process. @throws no_permission
 */
export async function encryptedBroker(
  scope: Scope,
  { encryptedBroker: ownBroker }: { encryptedBroker: EncryptedBroker },
): Promise<EncryptedBroker> {
  scope.require("locks.manage");
  if (ownBroker) return ownBroker;
  const rows = await scope.sql.rows<{ encrypted: unknown }>(
    `SELECT parts -> 'broker' -> 'encrypted' AS encrypted FROM process_heartbeat
      WHERE $1::int IS NOT NULL AND is_process_alive(seen_at)
        AND jsonb_typeof(parts -> 'broker' -> 'encrypted') = 'object'
      ORDER BY seen_at DESC LIMIT 1`,
  );
  return encryptedBrokerOutput.catch(null).parse(rows[0]?.encrypted ?? null);
}

/** Removes a link and its account. @throws no_permission; not_found if it is off */
export async function remove(scope: Scope, { kind }: LinkRef): Promise<LinkRef> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const { count } = await tx.db.deviceLink.deleteMany({ where: { kind } });
    if (count === 0) throw new DomainError("not_found");
    tx.audit({ action: "link.remove", entity: "link", entityId: kind });
    await notifyLinksChanged(tx);
    return { kind };
  });
}

/** Notifies every process at commit to reload the links. */
async function notifyLinksChanged(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT pg_notify('innkey', jsonb_build_object('topic', 'links', 'hotelId', $1::int)::text)::text");
}

function visibleSettings(settings: LinkSettings): Record<string, string> {
  const open = Object.entries(settings).filter(([name]) => name !== "kind" && !SECRET_FIELDS.includes(name));
  return Object.fromEntries(open);
}

/** Fills empty secrets with the stored ones. @throws invalid_input if a secret is missing */
function withStoredSecrets(input: DeviceLinkInput, before: LinkSettings | null): LinkSettings {
  if (input.kind !== "ttlock") return input;
  const existing = before?.kind === "ttlock" ? before : null;
  // Secrets entered for one address are not reused for another.
  const reusable = existing?.baseUrl === input.baseUrl ? existing : null;
  const { kind, baseUrl, clientId, clientSecret, account, password } = input;
  const settings = {
    kind,
    baseUrl,
    clientId,
    clientSecret: clientSecret || (reusable?.clientSecret ?? ""),
    account,
    passwordMd5: password ? createHash("md5").update(password).digest("hex") : (reusable?.passwordMd5 ?? ""),
    callbackSecret: existing?.callbackSecret ?? randomBytes(PASSWORD_BYTES).toString("base64url"),
  };
  const missing = { clientSecret: settings.clientSecret, password: settings.passwordMd5 };
  const fields = Object.entries(missing).flatMap(([name, value]) => (value ? [] : [[name, { key: v.required }]]));
  if (fields.length > 0) throw new DomainError("invalid_input", {}, Object.fromEntries(fields));
  return settings;
}

/**
 * Checks the address of a cloud. @throws invalid_input if it isn't https, contains a user or password, or leads to this
 * machine or a private network
 */
async function checkAddress(baseUrl: string, allowLoopback: boolean): Promise<void> {
  const refuse = (key: string): never => {
    throw new DomainError("invalid_input", {}, { baseUrl: { key } });
  };
  const { protocol, hostname, username, password } = new URL(baseUrl);
  if (username || password) refuse(v.unknown);
  const addresses = await addressesAtEntry(hostname);
  if (!addresses.every((address) => mayReachWorld(address, allowLoopback))) refuse(v.webAddressInside);
  if (protocol !== "https:" && !allowLoopback) refuse(v.webAddressPlain);
}

/**
 * Checks that no other link of any hotel uses an overlapping topic, because the broker gives a link full access below
 * its topic. @throws invalid_input; address_taken
 */
async function checkBase(scope: Scope, tx: Transaction, settings: LinkSettings): Promise<void> {
  const base = baseOf(settings);
  if (base === null) return;
  const { kind } = settings;
  const field = kind === "zigbee2mqtt" ? "baseTopic" : "prefix";
  if (!isUsableBase(base)) throw new DomainError("invalid_input", {}, { [field]: { key: v.unknown } });
  const others = await tx.sql.rows<{ hotelId: number; kind: LinkKind; box: Uint8Array }>(
    `SELECT hotel_id AS "hotelId", kind::text AS kind, settings_box AS box FROM device_link
      WHERE kind <> 'ttlock' AND NOT (hotel_id = $1 AND kind = $2::device_link_kind)`,
    kind,
  );
  for (const other of others) {
    const otherSettings = openSettings(scope.secrets.lock, other);
    const otherBase = otherSettings && baseOf(otherSettings);
    if (otherBase && basesOverlap(base, otherBase)) {
      // The error suggests a free topic and doesn't reveal who uses the other one.
      const suggestion = `${kind.replace("_", "-")}-${scope.hotelId}`;
      throw new DomainError(
        "address_taken",
        { name: base },
        { [field]: { key: v.topicTaken, params: { suggestion } } },
      );
    }
  }
}
