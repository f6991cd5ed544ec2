import { DomainError } from "@innkey/shared/errors";
import type { RosterRow, RosterSettings, RostersOverview } from "@innkey/shared/schemas/rosters";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf } from "../../../kernel/transaction.ts";
import { sealRoster } from "./roster-file.ts";
import { readSheet } from "./roster-sheet.queries.ts";

/** What a hotel begins with: without a recipient no roster is made. */
export const FIRST_SETTINGS: RosterSettings = { recipients: [], time: "22:00", keep: 7 };

const ROWS = `SELECT r.id, iso(r.made_at) AS "madeAt", to_char(r.night, 'YYYY-MM-DD') AS night, r.file_name AS "fileName",
    r.size_bytes AS "sizeBytes", r.rooms, r.guests, iso(r.copied_at) AS "copiedAt", r.copy_error IS NOT NULL AS "hasCopyFailed",
    o.name AS "madeBy"
  FROM roster r LEFT JOIN operator o ON o.id = r.made_by_id WHERE r.hotel_id = $1 ORDER BY r.made_at DESC, r.id DESC`;

/** The folder into which sealed rosters are copied; null if this server has none. */
export type RosterFolder = { copyWaiting(hotelId: number): Promise<void> } | null;

/** Returns how rosters are made, and those that are kept. */
export async function overview(scope: Scope, folder: RosterFolder): Promise<RostersOverview> {
  scope.require("hotel.manage");
  const [settings, rows] = await Promise.all([readSettings(scope), scope.sql.rows<RosterRow>(ROWS)]);
  return { settings, hasFolder: folder !== null, rows };
}

export async function readSettings(scope: Scope): Promise<RosterSettings> {
  const row = await scope.reads.rosterSettings.findFirst({ select: { recipients: true, time: true, keep: true } });
  return row ?? FIRST_SETTINGS;
}

/** Sets for whom rosters are sealed, from when in the evening they are due and how many are kept. */
export async function saveSettings(
  scope: Scope,
  folder: RosterFolder,
  settings: RosterSettings,
): Promise<RostersOverview> {
  scope.require("hotel.manage");
  const recipients = [...new Set(settings.recipients)];
  await requireKeys(recipients);
  await scope.write(async (tx) => {
    const before = (await tx.db.rosterSettings.findFirst({ omit: { hotelId: true } })) ?? FIRST_SETTINGS;
    const changes = changesOf(before, { ...settings, recipients });
    if (!changes) return;
    await tx.sql.rows<never>(
      `INSERT INTO roster_settings (hotel_id, recipients, "time", keep) VALUES ($1, $2::text[], $3, $4::int)
        ON CONFLICT (hotel_id) DO UPDATE SET recipients = excluded.recipients, "time" = excluded."time", keep = excluded.keep`,
      recipients,
      settings.time,
      settings.keep,
    );
    tx.audit({ action: "roster.settings", entity: "hotel", entityId: scope.hotelId, ...changes });
  });
  return overview(scope, folder);
}

/** @throws invalid_input for a text that only looks like a public key: its last letters are a check sum */
async function requireKeys(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new DomainError("invalid_input", {}, { recipients: { key: "validation.ageRecipient" } });
    }
  }
}

/** Makes a roster now, because somebody asks for it. @throws state_conflict if there is nobody to seal it for */
export async function make(scope: Scope, folder: RosterFolder): Promise<{ rosterId: number }> {
  scope.require("hotel.manage");
  const rosterId = await makeRoster(scope, null);
  if (rosterId === null) throw new DomainError("state_conflict");
  await folder?.copyWaiting(scope.hotelId);
  return { rosterId };
}

/**
 * Makes and stores a roster of the whole hotel, and deletes those beyond the number to keep. `night` is the date of the
 * hotel whose roster this is, or null. Returns its id; null if there is no recipient or that night has a roster already.
 */
export async function makeRoster(scope: Scope, night: string | null): Promise<number | null> {
  const { recipients, keep } = await readSettings(scope);
  if (recipients.length === 0) return null;
  const sheet = await readSheet(scope);
  const content = await sealRoster(sheet, recipients);
  const guests = sheet.rooms.flatMap(({ stays }) => stays.flatMap((stay) => stay.guests)).length;
  const stamp = sheet.madeAt.replace(/[-:]/g, "").slice(0, 15);
  return scope.write(async (tx) => {
    const [row] = await tx.sql.rows<{ id: number }>(
      `INSERT INTO roster (hotel_id, made_at, night, file_name, content, size_bytes, rooms, guests, made_by_id)
        VALUES ($1, $2::timestamptz, $3::date, $4, $5::bytea, $6::int, $7::int, $8::int, $9::int)
        ON CONFLICT (hotel_id, night) DO NOTHING RETURNING id`,
      sheet.madeAt,
      night,
      `roster-${scope.hotelId}-${stamp}Z.tar.gz.age`,
      content,
      content.length,
      sheet.rooms.length,
      guests,
      scope.operatorId,
    );
    if (!row) return null;
    await tx.sql.rows<{ id: number }>(
      `DELETE FROM roster WHERE hotel_id = $1 AND id NOT IN (SELECT id FROM roster WHERE hotel_id = $1
          ORDER BY made_at DESC, id DESC LIMIT $2::int) RETURNING id`,
      keep,
    );
    const after = { rooms: sheet.rooms.length, guests, recipients: recipients.length };
    tx.audit({ action: "roster.make", entity: "roster", entityId: row.id, after });
    return row.id;
  });
}

/** Returns a sealed file for download, and records who took it. @throws not_found */
export async function openFile(scope: Scope, rosterId: number): Promise<{ fileName: string; content: Uint8Array }> {
  scope.require("hotel.manage");
  const file = await scope.reads.roster.findFirst({
    where: { id: rosterId },
    select: { fileName: true, content: true },
  });
  if (!file) throw new DomainError("not_found");
  await scope.write(async (tx) => tx.audit({ action: "roster.download", entity: "roster", entityId: rosterId }));
  return file;
}
