import { join } from "node:path";
import { secretsOf } from "../core/scope.ts";
import { type ChainReport, isWhole, verifyChains } from "../modules/audit/verification.ts";
import { runCommand } from "./lib/command.ts";

function lineOf({ hotelId, hotelName, entries, brokenAt, endMissing, rewritten, head }: ChainReport): string {
  const hotel = `${hotelName} (hotel ${hotelId}), ${entries} entries`;
  if (brokenAt !== null) return `BROKEN  ${hotel}: entry ${brokenAt} was changed, or the one before it removed`;
  if (endMissing) return `BROKEN  ${hotel}: entries at the end were removed or added`;
  if (rewritten) return `BROKEN  ${hotel}: it is not the journal that was there when it was last looked at`;
  return `whole   ${hotel}, the last of them ${head.seq} with the hash ${head.hash}`;
}

// Recomputes the journal's hash chain of every hotel and says where it stands, to be kept elsewhere; 1 if one is broken.
await runCommand(join(import.meta.dirname, "../../../.."), async ({ config, database }) => {
  const { journal } = secretsOf(config.secretKey, config.previousSecretKeys);
  const reports = await verifyChains(database, journal);
  for (const report of reports) console.log(lineOf(report));
  if (reports.length === 0) console.log("There is no hotel yet.");
  return reports.every(isWhole) ? 0 : 1;
});
