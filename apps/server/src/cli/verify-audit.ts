import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { Database } from "../adapters/postgres/client.ts";
import {
  type ChainReport,
  findMissingHeads,
  isWhole,
  readLoggedHeads,
  verifyChains,
} from "../domain/compliance/audit/audit-chain.ts";
import { secretsOf } from "../kernel/scope.ts";
import { runCommand } from "./lib/command.ts";

function reportLine({ hotelId, hotelName, entries, brokenAt, endMissing, rewritten, head }: ChainReport): string {
  const hotel = `${hotelName} (hotel ${hotelId}), ${entries} entries`;
  if (brokenAt !== null) return `BROKEN  ${hotel}: entry ${brokenAt} was changed, or the one before it removed`;
  if (endMissing) return `BROKEN  ${hotel}: entries at the end were removed or added`;
  if (rewritten) return `BROKEN  ${hotel}: the audit was rewritten since it was last checked`;
  return `whole   ${hotel}, the last of them ${head.seq} with the hash ${head.hash}`;
}

/** Compares the audit with the heads in a server's log. Returns whether every logged entry still exists. */
async function compareWithLog(database: Database, path: string): Promise<boolean> {
  const lines = path === "-" ? createInterface({ input: process.stdin }) : (await open(path)).readLines();
  const heads = await readLoggedHeads(lines);
  const missing = await findMissingHeads(database.pool, heads);
  for (const { hotelId, seq, hash } of missing)
    console.log(`BROKEN  hotel ${hotelId}: the log has entry ${seq} with the hash ${hash}, but the audit doesn't`);
  if (heads.length === 0)
    console.log("BROKEN  the log has no audit head: is it the log of the worker or of the server?");
  else console.log(`${heads.length - missing.length} of ${heads.length} entries of the log exist in the audit.`);
  return heads.length > 0 && missing.length === 0;
}

// Recomputes the audit's hash chain of every hotel and prints its head, to be stored elsewhere; exits with 1 if one is
// broken. With --log <file>, or --log - for standard input, it also compares the chains with a log of the server.
await runCommand(join(import.meta.dirname, "../../../.."), async ({ config, database }) => {
  const { values } = parseArgs({ options: { log: { type: "string" } } });
  const { audit: auditBox } = secretsOf(config.secretKey, config.previousSecretKeys);
  const reports = await verifyChains(database, auditBox);
  for (const report of reports) console.log(reportLine(report));
  if (reports.length === 0) console.log("There is no hotel yet.");
  const matchesLog = values.log === undefined || (await compareWithLog(database, values.log));
  return reports.every(isWhole) && matchesLog ? 0 : 1;
});
