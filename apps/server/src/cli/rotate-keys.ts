import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStores } from "../adapters/storage/stores.ts";
import { type Resealed, rotateSecrets } from "../domain/compliance/secrets/rotation.ts";
import { runCommand } from "./lib/command.ts";

const DONE = `Everything that is kept is sealed with SECRET_KEY.
Keep SECRET_KEY_PREVIOUS for one more day: logins, links and requests of the last hours still carry it. Then run this
with --check, remove SECRET_KEY_PREVIOUS, restart, and keep the earlier key with the backups from its time: they need it.`;

const LEFT = `Not everything is sealed with SECRET_KEY: leave SECRET_KEY_PREVIOUS where it is.
What is left was sealed by a server that was not restarted with the new SECRET_KEY, or with a key that is not among
SECRET_KEY_PREVIOUS. Restart all servers, name all earlier keys, and run this again.`;

function lineOf({ name, resealed, unreadable, remaining }: Resealed): string {
  const notes = [`${resealed} sealed anew`];
  if (remaining > 0) notes.push(`${remaining} LEFT`);
  if (unreadable > 0) notes.push(`${unreadable} opened by none of the keys`);
  return `${name.padEnd(32)} ${notes.join(", ")}`;
}

// Encrypts everything again with SECRET_KEY; SECRET_KEY_PREVIOUS lists the previous keys. --check only counts what is
// left.
await runCommand(join(import.meta.dirname, "../../../.."), async ({ config, database }) => {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  const { storage } = openStores(config);
  const progress = await rotateSecrets(
    { ...config, database, storage, onDone: (done) => console.log(lineOf(done)) },
    values.check,
  );
  const remaining = progress.reduce((sum, one) => sum + one.remaining, 0);
  console.log(`\n${remaining > 0 ? LEFT : DONE}`);
  return remaining > 0 ? 1 : 0;
});
