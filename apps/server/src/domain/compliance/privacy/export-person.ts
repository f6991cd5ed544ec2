import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import type { Scope } from "../../../kernel/scope.ts";
import type { FileStore } from "../../files/public.ts";
import { collect } from "./dossier.ts";
import { dossierPage } from "./dossier-page.ts";

/**
 * Builds an archive of all data about one person: `person.json` for machines, `person.html` for people, and the
 * pictures of their faces. The audit records it. @throws not_found
 */
export async function exportPerson(scope: Scope, files: FileStore, guestId: number): Promise<Buffer> {
  scope.require("privacy.manage");
  const dossier = await collect(scope, guestId);
  const pictures: { name: string; bytes: Buffer }[] = [];
  for (const face of dossier.faces) {
    const bytes = face.picture && (await files.faceBytes(scope, face.picture));
    const name = `face-${face.faceId}.webp`;
    if (bytes) pictures.push({ name, bytes });
    face.picture = bytes ? name : null;
  }
  await scope.write(async (tx) => {
    const documentInFull = scope.can("guests.documents") && dossier.person.documentNumber !== "";
    const after = { documentInFull, pictures: pictures.length };
    tx.audit({ action: "privacy.export", entity: "guest", entityId: guestId, after });
  });
  const archive = new ZipFile();
  const times = { mtime: scope.now() };
  archive.addBuffer(Buffer.from(dossierPage(scope, dossier)), "person.html", times);
  archive.addBuffer(Buffer.from(`${JSON.stringify(dossier, null, 2)}\n`), "person.json", times);
  for (const { name, bytes } of pictures) archive.addBuffer(bytes, name, { ...times, compress: false });
  archive.end();
  return buffer(archive.outputStream);
}
