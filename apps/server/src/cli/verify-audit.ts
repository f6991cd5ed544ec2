import { join } from "node:path";
import { type ChainReport, verifyChains } from "../modules/audit/verification.ts";
import { runCommand } from "./lib/command.ts";

function lineOf({ hotelId, hotelName, entries, brokenAt, endMissing }: ChainReport): string {
  const hotel = `${hotelName} (hotel ${hotelId}), ${entries} entries`;
  if (brokenAt !== null) return `BROKEN  ${hotel}: entry ${brokenAt} was changed, or the one before it removed`;
  if (endMissing) return `BROKEN  ${hotel}: entries at the end were removed or added`;
  return `whole   ${hotel}`;
}

// Recomputes the journal's hash chain of every hotel; 1 if one is broken.
await runCommand(join(import.meta.dirname, "../../../.."), async ({ database }) => {
  const reports = await verifyChains(database);
  for (const report of reports) console.log(lineOf(report));
  if (reports.length === 0) console.log("There is no hotel yet.");
  return reports.some(({ brokenAt, endMissing }) => brokenAt !== null || endMissing) ? 1 : 0;
});
