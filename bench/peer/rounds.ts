import assert from "node:assert/strict";
import { measureMs, median, percentile } from "../measuring/durations.ts";
import type { Row } from "../measuring/result.ts";
import { ACTS, type Act, type MeasuredProgram, READS, type Read } from "./program.ts";

export type Side = "innkey" | "peer";
export type Programs = { innkey: MeasuredProgram } & Partial<Record<Side, MeasuredProgram>>;

export interface RoundSizes {
  rounds: number;
  seconds: number;
  calls: number;
  /** not measured, before the first round */
  warmSeconds: number;
  warmCalls: number;
}

const WHAT: Record<Read | Act, string> = {
  month: "the month of all rooms",
  today: "who arrives and departs today",
  guests: "200 guests",
  reservation: "a reservation",
  "check-in": "a check-in",
};

/** Milliseconds of every call, one list for each round */
type Times = Record<Side, number[][]>;

/** Measures the reads and then the acts, the two programs in turns. */
export async function measurePrograms(programs: Programs, sizes: RoundSizes): Promise<Row[]> {
  const sides = Object.keys(programs) as Side[];
  const programOf = (side: Side): MeasuredProgram => {
    const program = programs[side];
    assert.ok(program);
    return program;
  };
  const times = new Map<Read | Act, Times>([...READS, ...ACTS].map((what) => [what, { innkey: [], peer: [] }]));
  const bytes = new Map<Read, Record<Side, number | null>>(READS.map((read) => [read, { innkey: null, peer: null }]));

  for (const read of READS) {
    for (const side of sides) {
      const length = bytes.get(read);
      if (length) length[side] = await checkRead(programOf(side), read);
      await readFor(programOf(side), read, sizes.warmSeconds);
    }
  }
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const read of READS) {
      for (const side of sides) times.get(read)?.[side].push(await readFor(programOf(side), read, sizes.seconds));
    }
    console.log(`reads: round ${round} of ${sizes.rounds} done`);
  }
  for (const read of READS) for (const side of sides) await checkRead(programOf(side), read);
  for (const side of sides) await actTimes(programOf(side), sizes.warmCalls);
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const side of sides) {
      const acts = await actTimes(programOf(side), sizes.calls);
      for (const act of ACTS) times.get(act)?.[side].push(acts[act]);
    }
    console.log(`acts: round ${round} of ${sizes.rounds} done`);
  }
  return [...times].map(([what, of]) => ({
    ...{ table: "times", what: WHAT[what] },
    ...{ innkeyP50Ms: medianOf(of.innkey, 0.5), innkeyP99Ms: medianOf(of.innkey, 0.99) },
    innkeyBytes: bytes.get(what as Read)?.innkey ?? null,
    ...{ peerP50Ms: medianOf(of.peer, 0.5), peerP99Ms: medianOf(of.peer, 0.99) },
    peerBytes: bytes.get(what as Read)?.peer ?? null,
    ratio: ratioOf(of),
  }));
}

/** Checks what an answer contains. Returns its length in bytes. */
async function checkRead(program: MeasuredProgram, read: Read): Promise<number> {
  const answer = await program.read(read);
  program.check(read, answer);
  return answer.bytes;
}

/** Reads for some seconds. */
async function readFor(program: MeasuredProgram, read: Read, seconds: number): Promise<number[]> {
  const millis: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    millis.push(
      await measureMs(async () => {
        const { status } = await program.read(read);
        assert.equal(status, 200, `status of ${read}`);
      }),
    );
  }
  return millis;
}

let guests = 0;

/** Reserves, checks in and frees the room again `calls` times; freeing it is not measured. */
async function actTimes(program: MeasuredProgram, calls: number): Promise<Record<Act, number[]>> {
  const millis: Record<Act, number[]> = { reservation: [], "check-in": [] };
  for (let n = 0; n < calls; n += 1) {
    const guest = `Ann Lee${++guests}`;
    let reservation = 0;
    const reserve = async () => {
      reservation = await program.reserve(guest);
    };
    millis.reservation.push(await measureMs(reserve));
    millis["check-in"].push(await measureMs(() => program.checkIn(reservation)));
    await program.clear(reservation);
  }
  return millis;
}

const medianOf = (rounds: readonly number[][], share: number): number | null =>
  rounds.length === 0 ? null : median(rounds.map((millis) => percentile(millis, share)));

/** Returns how many times as long the other program takes: the median of the rounds' ratios. */
function ratioOf({ innkey, peer }: Times): number | null {
  if (peer.length === 0) return null;
  return median(peer.map((millis, round) => median(millis) / median(innkey[round] ?? [])));
}
