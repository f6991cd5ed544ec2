import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UnreadableBackup } from "../adapters/backup/backup-format.ts";
import { loadConfig } from "../config.ts";
import { openRoster, PAGE_NAME, printRoster } from "../domain/compliance/rosters/roster-file.ts";
import { identityAt } from "./lib/backups.ts";
import { endWith } from "./lib/command.ts";

const USAGE = `Prints a sealed roster: rooms, guests, and how long their keys work. It needs neither the server nor its database.
  roster open <file> [--key <key file>]     the key may be left out where DATA_DIR/backup-key is the one
  --to <folder>                             writes the page ${PAGE_NAME} there instead, to read and print in a browser`;

await endWith(async () => {
  const { values, positionals } = parseArgs({
    options: { key: { type: "string" }, to: { type: "string" } },
    allowPositionals: true,
  });
  const [command, file] = positionals;
  if (command !== "open" || file === undefined || positionals.length > 2) {
    console.error(USAGE);
    return 2;
  }
  const identity = await identityAt(loadConfig(process.env, []), values.key);
  const { sheet, page } = await openRoster(file, identity).catch((error: unknown) => {
    if (!(error instanceof UnreadableBackup)) throw error;
    throw new Error(`${file} can't be opened: it is not a roster, is damaged, or was sealed for another key.`);
  });
  if (values.to !== undefined) {
    await mkdir(values.to, { recursive: true, mode: 0o700 });
    const path = join(values.to, PAGE_NAME);
    await writeFile(path, page, { mode: 0o600 });
    console.log(path);
    return 0;
  }
  const { title, madeAt, columns, rows } = printRoster(sheet);
  console.log(`${title}\n${madeAt}\n\n${[columns, ...rows].map((cells) => cells.join("\t")).join("\n")}`);
  return 0;
});
