import { axisBlock, manyHotelsBlock, recordTablesBlock } from "../growth/report.ts";
import type { BenchResult, Parameter, Row } from "../measuring/result.ts";
import { actsBlock, soakConditions } from "../soak/report.ts";
import { type Block, conditionsOf, decimals, formatWhole, ratio, tableOf, text, whole } from "./markdown.ts";

interface Page {
  /** how the run was made, in a few words */
  conditions?: (parameters: Record<string, Parameter>) => string;
  /** the blocks by their name; the first one also states the conditions */
  blocks: Record<string, Block>;
}

const LOAD = [
  whole("readsPerSecond", "reads/s"),
  decimals("p50Ms", "p50 ms", 1),
  decimals("p99Ms", "p99 ms", 1),
  ratio("ratio"),
];
const interleaved = ({ rounds, seconds }: Record<string, Parameter>): string =>
  `${rounds} interleaved rounds of ${seconds} s, medians`;
const memory = tableOf("memory", [text("when", "memory of the server (RSS)"), whole("serverMb", "MB")]);

/** How the results of every bench are shown, in the documentation and in the terminal. */
export const PAGES: Record<string, Page> = {
  acts: {
    conditions: ({ rooms, rounds, calls }) =>
      `${rooms} rooms, one connection, ${rounds} interleaved rounds of ${calls} calls of each act`,
    blocks: {
      acts: tableOf("acts", [
        text("act"),
        text("build"),
        decimals("p50Ms", "p50 ms", 1),
        decimals("p95Ms", "p95 ms", 1),
        decimals("p99Ms", "p99 ms", 1),
      ]),
    },
  },
  arrival: {
    blocks: {
      starts: tableOf("starts", [
        text("start", "seconds"),
        decimals("installSeconds", "packages", 1),
        decimals("buildSeconds", "build", 1),
        decimals("startSeconds", "database, demo, listening", 1),
        decimals("loginSeconds", "login screen", 1),
        decimals("boardSeconds", "login to board", 1),
        decimals("totalSeconds", "together", 1),
      ]),
    },
  },
  backup: {
    conditions: ({ records, databaseMb, backupMb }) =>
      `each command a process of its own; ${formatWhole(records)} door records, ${formatWhole(databaseMb)} MB in the database with its indexes, ${formatWhole(backupMb)} MB in the backup`,
    blocks: {
      commands: tableOf("commands", [
        text("command"),
        decimals("seconds", "seconds", 1),
        whole("databaseMbPerSecond", "MB of the database a second"),
        whole("peakMb", "peak RSS, MB"),
      ]),
    },
  },
  blackout: {
    conditions: ({ parties, attempts }) =>
      `${formatWhole(parties)} parties, each with a door code and a card; ${formatWhole(attempts)} cards tried at doors meanwhile; embedded broker, locks in the measuring process`,
    blocks: {
      steps: tableOf("steps", [
        text("step", ({ locks }) => `${formatWhole(locks)} rooms with locks`),
        decimals("seconds", "seconds", 2),
      ]),
    },
  },
  board: {
    conditions: interleaved,
    blocks: {
      together: tableOf("together", [
        text("read", ({ connections }) => `${connections} connections`),
        ...LOAD,
        whole("bytes", "bytes"),
        whole("reads", "all reads"),
        whole("builds", "builds for them"),
      ]),
      alone: tableOf("alone", [
        text("read", "one connection, the version moves before every read"),
        ...LOAD,
        whole("bytes", "bytes"),
      ]),
      memory,
    },
  },
  "board-differences": {
    blocks: {
      changes: tableOf(
        "changes",
        [
          whole("rooms", "rooms"),
          decimals("p50Ms", "ms until the desk has the room", 1),
          whole("bytes", "bytes"),
          whole("wholeBytes", "the whole board, bytes"),
        ],
        growthOf,
      ),
      desks: tableOf("desks", [
        whole("desks", "desks that follow"),
        whole("rooms", "rooms"),
        whole("changesPerSecond", "changed rooms/s"),
        decimals("cpuPercent", "% of one core", 1),
        decimals("kilobytesPerSecondPerDesk", "kB/s for each desk", 1),
      ]),
    },
  },
  commands: {
    conditions: () => "embedded broker, locks in the measuring process",
    blocks: {
      answers: tableOf("answers", [
        text("from", ({ locks, openings, events, seconds }) => {
          return `${formatWhole(locks)} locks, ${openings} openings and ${events} events a second for ${seconds} s`;
        }),
        whole("p50Ms", "p50 ms"),
        whole("p95Ms", "p95 ms"),
        whole("p99Ms", "p99 ms"),
        whole("mostMs", "most ms"),
      ]),
      memory,
    },
  },
  envelopes: {
    conditions: ({ envelopes, atOnce }) => `${formatWhole(envelopes)} envelopes, ${atOnce} at once`,
    blocks: {
      kinds: tableOf("kinds", [
        text("kind", "bad envelope of one size"),
        whole("sent", "sent"),
        decimals("p50Ms", "median ms", 3),
        decimals("ratio", "against all", 2),
      ]),
      memory: tableOf("memory", [whole("envelopes", "envelopes so far"), whole("serverMb", "server, MB (RSS)")]),
    },
  },
  export: {
    conditions: ({ rounds }) => `${rounds} interleaved rounds, medians`,
    blocks: {
      ways: tableOf("ways", [
        text("way", ({ records, columns }) => `${formatWhole(records)} door records, ${columns} columns`),
        whole("rowsPerSecond", "rows/s"),
        ratio("ratio"),
        whole("grewByMb", "server grew by at most, MB"),
      ]),
    },
  },
  "guest-links": {
    conditions: ({ guesses, atOnce }) => `${formatWhole(guesses)} guesses from as many networks, ${atOnce} at once`,
    blocks: {
      kinds: tableOf("kinds", [
        text("kind", "guessed link"),
        whole("sent", "sent"),
        decimals("p50Ms", "median ms", 3),
        decimals("ratio", "against all", 2),
      ]),
      network: tableOf("network", [
        whole("sent", "guesses from one network"),
        whole("answered", "answered"),
        whole("refused", "refused"),
      ]),
    },
  },
  faults: {
    conditions: ({ rooms, locks, desks }) => `${rooms} rooms, ${locks} locks, ${desks} open boards`,
    blocks: {
      faults: tableOf("faults", [
        text("fault"),
        text("refused"),
        whole("answeredMeanwhile", "answered meanwhile"),
        decimals("longestSeconds", "longest wait, s", 1),
        text("longestKind", "for"),
        decimals("normalAfterSeconds", "normal after, s", 1),
        whole("beforeMb", "server before, MB"),
        whole("mostMb", "at most, MB"),
        text("wrong"),
      ]),
    },
  },
  growth: {
    blocks: {
      rooms: axisBlock("rooms"),
      records: axisBlock("records"),
      hotels: axisBlock("hotels"),
      many: manyHotelsBlock,
      tables: recordTablesBlock,
    },
  },
  "lost-card": {
    conditions: () => "embedded broker, locks in the measuring process",
    blocks: {
      steps: tableOf("steps", [
        text("step", ({ locks, away }) => `${formatWhole(locks)} locks, ${formatWhole(away)} of them away`),
        decimals("seconds", "seconds", 2),
      ]),
    },
  },
  manage: {
    conditions: (parameters) => `${parameters.connections} connections, ${interleaved(parameters)}, aes-256-cbc`,
    blocks: {
      calls: tableOf("calls", [
        text("call", ({ pageSize, rooms }) => `${pageSize} rooms of ${rooms} a read, and a small call`),
        whole("callsPerSecond", "calls/s"),
        decimals("p50Ms", "p50 ms", 1),
        decimals("p99Ms", "p99 ms", 1),
        ratio("ratio"),
      ]),
    },
  },
  memory: {
    conditions: ({ restSeconds }) => `${restSeconds} s after the address was printed`,
    blocks: {
      starts: tableOf("starts", [
        text("start", "memory in MB"),
        whole("serverRssMb", "server (RSS)"),
        whole("serverPssMb", "server (PSS)"),
        whole("databasePssMb", "PostgreSQL (PSS)"),
        whole("databaseProcesses", "its processes"),
        whole("otherPssMb", "npm and others (PSS)"),
        whole("allPssMb", "all (PSS)"),
      ]),
    },
  },
  pages: {
    conditions: ({ rounds, processor }) =>
      `Chromium, 1440 × 900, the demo hotel; "slow" is Fast 3G and a processor ${processor} times as slow; ${rounds} interleaved rounds, medians`,
    blocks: {
      pages: tableOf("pages", [
        text("page"),
        text("profile"),
        text("build"),
        whole("paintedMs", "first paint, ms"),
        whole("contentMs", "content, ms"),
        whole("requests", "requests"),
        whole("kilobytes", "kB"),
      ]),
      menu: tableOf("menu", [text("build", "slow processor"), whole("menuMs", "a room's drawer opens in, ms")]),
    },
  },
  peer: {
    conditions: ({ peer, rooms, reservations, peerReservations, guests, rounds, seconds, calls }) =>
      `${peer ?? "without the other program"}; ${formatWhole(rooms)} rooms, ${formatWhole(reservations)} reservations${peerReservations === null ? "" : ` (HotelDruid: ${formatWhole(peerReservations)})`}, ${formatWhole(guests)} guests; ${rounds} interleaved rounds of ${seconds} s or ${calls} acts, medians`,
    blocks: {
      times: tableOf("times", [
        text("what", "one call after the other"),
        decimals("innkeyP50Ms", "Innkey, p50 ms", 1),
        decimals("innkeyP99Ms", "p99 ms", 1),
        whole("innkeyBytes", "bytes"),
        decimals("peerP50Ms", "HotelDruid, p50 ms", 1),
        decimals("peerP99Ms", "p99 ms", 1),
        whole("peerBytes", "bytes"),
        ratio("ratio", "HotelDruid / Innkey"),
      ]),
      paints: tableOf("paints", [
        text("profile", "the month in Chromium, its profile"),
        whole("innkeyFirstMs", "Innkey, first paint, ms"),
        whole("innkeyReservationMs", "reservations, ms"),
        whole("peerFirstMs", "HotelDruid, first paint, ms"),
        whole("peerReservationMs", "reservations, ms"),
      ]),
      memory: tableOf("memory", [
        text("when", "memory of all processes (PSS)"),
        decimals("innkeyMb", "Innkey with PostgreSQL, MB", 0),
        decimals("peerMb", "HotelDruid with SQLite, MB", 0),
      ]),
    },
  },
  reads: {
    conditions: (parameters) => `one connection, ${interleaved(parameters)}`,
    blocks: {
      reads: tableOf("reads", [
        whole("rooms", "rooms"),
        text("read"),
        whole("readsPerSecond", "reads/s"),
        decimals("p50Ms", "p50 ms", 2),
        decimals("p99Ms", "p99 ms", 1),
        whole("bytes", "bytes"),
        whole("otherReadsPerSecond", "other build, reads/s"),
        ratio("ratio"),
      ]),
    },
  },
  search: {
    conditions: ({ calls }) => `${calls} calls for each length`,
    blocks: {
      lengths: tableOf("lengths", [
        text("query", ({ guests }) => `search among ${formatWhole(guests)} guests`),
        decimals("p50Ms", "p50 ms", 1),
        decimals("p99Ms", "p99 ms", 1),
      ]),
    },
  },
  soak: { conditions: soakConditions, blocks: { acts: actsBlock } },
  "unlocks-ingest": {
    conditions: ({ rounds, locks, perLock }) =>
      `${rounds} interleaved rounds of ${formatWhole(Number(locks) * Number(perLock))} events each way, medians`,
    blocks: {
      reports: tableOf("reports", [
        whole("eventsPerReport", ({ locks }) => `${locks} locks, events in a report`),
        whole("insertedPerSecond", "bare INSERT, events/s"),
        whole("ingestedPerSecond", "ingest, events/s"),
        ratio("ratio"),
      ]),
    },
  },
  "unlocks-read": {
    conditions: interleaved,
    blocks: {
      reads: tableOf("reads", [
        text("read", ({ connections, pageSize, records }) => {
          return `${connections} connections, newest ${pageSize} of a room in ${formatWhole(records)} records`;
        }),
        ...LOAD,
      ]),
    },
  },
};

/** Writes a block of a result. @throws Error if there is no such block */
export function blockText(result: BenchResult, name: string): string {
  const { conditions, blocks } = PAGES[result.bench] ?? { blocks: {} };
  const block = blocks[name];
  if (!block) throw new Error(`The bench ${result.bench} has no block "${name}"`);
  const isFirst = name === Object.keys(blocks)[0];
  return isFirst ? `${conditionsOf(result, conditions?.(result.parameters) ?? "")}\n\n${block(result)}` : block(result);
}

/** Writes all blocks of a result. */
export const resultText = (result: BenchResult): string =>
  Object.keys(PAGES[result.bench]?.blocks ?? {})
    .map((name) => blockText(result, name))
    .filter((block) => block !== "")
    .join("\n\n");

/** Says how the time grows from the smallest hotel to the largest. */
function growthOf(rows: readonly Row[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || first === last) return "";
  const exponent =
    Math.log(Number(last.p50Ms) / Number(first.p50Ms)) / Math.log(Number(last.rooms) / Number(first.rooms));
  return `From ${formatWhole(first.rooms)} to ${formatWhole(last.rooms)} rooms the time grows with n^${exponent.toFixed(2)}.`;
}
