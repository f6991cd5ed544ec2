// Measures Innkey beside HotelDruid (PHP with SQLite), another hotel program that one hosts oneself. Both have Innkey's
// demo hotel, and a client asks them in turns, one call after the other. HotelDruid is Debian's package, unpacked into a
// temporary folder and served by PHP's own server; PHP is installed if it is missing. Where that is not possible, only
// Innkey is measured.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openBench } from "./measuring/bench.ts";
import { readPssMb } from "./measuring/memory.ts";
import type { Row } from "./measuring/result.ts";
import { withWorld } from "./measuring/world.ts";
import { openHotelDruid } from "./peer/hoteldruid.ts";
import { type OpenInnkey, openInnkey } from "./peer/innkey.ts";
import { findPeer, type PeerPackage } from "./peer/packages.ts";
import { measurePaints } from "./peer/paint.ts";
import { measurePrograms, type Programs } from "./peer/rounds.ts";

const bench = openBench("peer", {
  full: { rounds: 5, seconds: 2, calls: 20, warmSeconds: 1, warmCalls: 10, opens: 5, restSeconds: 60 },
  tiny: { rounds: 1, seconds: 0.2, calls: 2, warmSeconds: 0, warmCalls: 0, opens: 1, restSeconds: 0 },
});

async function findPeerOrExplain(folder: string): Promise<PeerPackage | null> {
  try {
    await mkdir(folder);
    return await findPeer(folder);
  } catch (error) {
    console.log(`HotelDruid can't be measured here, only Innkey is: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

async function readMemory(when: string, { innkey, peer }: Programs): Promise<Row> {
  await delay(bench.sizes.restSeconds * 1000);
  return {
    ...{ table: "memory", when },
    innkeyMb: await readPssMb(await innkey.pids()),
    peerMb: peer ? await readPssMb(await peer.pids()) : null,
  };
}

async function measure({ program: innkey, hotel, actRoom }: OpenInnkey, folder: string): Promise<void> {
  const peerPackage = await findPeerOrExplain(folder);
  const peer = peerPackage && (await openHotelDruid(peerPackage, join(folder, "hoteldruid"), hotel, actRoom));
  const programs: Programs = peer ? { innkey, peer } : { innkey };
  try {
    const started = await readMemory("at rest, after the start", programs);
    const times = await measurePrograms(programs, bench.sizes);
    const paints = await measurePaints(programs, bench.sizes.opens);
    const ended = await readMemory("at rest, after these calls", programs);
    await bench.finish([...times, ...paints, started, ended], {
      peer: peerPackage && `HotelDruid ${peerPackage.version}, PHP ${peerPackage.phpVersion} with SQLite`,
      rooms: hotel.rooms.length,
      reservations: innkey.reservations,
      peerReservations: peer?.reservations ?? null,
      guests: hotel.guests.length,
    });
  } finally {
    await peer?.stop();
  }
}

await withWorld(async (world) => {
  const innkey = await openInnkey(world);
  try {
    await measure(innkey, join(world.dataDir, "peer"));
  } finally {
    await innkey.program.stop();
  }
});
