import { plain } from "../imports/cells.ts";

/** A line of a pasted list that says which lock is at which room's door. */
export interface DoorLine {
  /** number of the line in the text, from 1 */
  line: number;
  roomName: string;
  /** upper-case hex with colons; null: the line has no address that can be read */
  mac: string | null;
}

const ADDRESS = /(?:[0-9a-f]{2}[:.\- ]?){5}[0-9a-f]{2}/i;
/** What separates a room from an address: a comma, semicolon, tab or spaces, on either side. */
const EDGES = /^[\s,;"']+|[\s,;"']+$/g;

function formatAddress(text: string): string {
  return text
    .replace(/[^0-9a-f]/gi, "")
    .toUpperCase()
    .replace(/(..)(?=.)/g, "$1:");
}

/** Splits "101, A4:C1:38:00:1F:2B" or the reverse; the address stands at one end of the line. */
function splitLine(text: string): Pick<DoorLine, "roomName" | "mac"> {
  const atEnd = new RegExp(`^(.*?)(?:^|[\\s,;"']+)(${ADDRESS.source})$`, "i").exec(text);
  const atStart = atEnd ? null : new RegExp(`^(${ADDRESS.source})(?:[\\s,;"']+)(.*)$`, "i").exec(text);
  if (atEnd) return { roomName: (atEnd[1] ?? "").replace(EDGES, ""), mac: formatAddress(atEnd[2] ?? "") };
  if (atStart) return { roomName: (atStart[2] ?? "").replace(EDGES, ""), mac: formatAddress(atStart[1] ?? "") };
  return { roomName: text, mac: null };
}

/** Reads a pasted list of rooms and their locks, one per line. A first line without an address is a heading. */
export function readDoorList(text: string): DoorLine[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: plain(line).replace(EDGES, "") }));
  const read = lines.filter((line) => line.text !== "").map(({ line, text: cells }) => ({ line, ...splitLine(cells) }));
  return read.length > 1 && read[0]?.mac === null ? read.slice(1) : read;
}
