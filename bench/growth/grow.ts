import { connectDatabase } from "../../apps/server/src/adapters/postgres/client.ts";
import { type World, withClient } from "../measuring/world.ts";
import { Desk } from "./desk.ts";
import { fillHotels, type HotelsPlan } from "./fill-hotels.ts";
import { fillRecords } from "./fill-records.ts";
import { type Ground, readGround } from "./ground.ts";
import { type ManyHotels, measureMany } from "./many-hotels.ts";
import { type Measured, measure } from "./measured.ts";
import { type Operation, operationsOf, type Workbench } from "./operations.ts";
import { measureTables, type TableCost } from "./partitions.ts";
import type { Axis, GrowthSizes } from "./sizes.ts";

/** Results of a run. */
export interface Growth {
  measured: Measured[];
  many: ManyHotels[];
  tables: TableCost[];
}

/** A database with a number of hotels, measured at several numbers of records. */
interface Stage {
  axis: Axis;
  plan: HotelsPlan;
  records: readonly number[];
  /** the size on this axis at a number of records */
  sizeAt: (records: number) => number;
}

/** Runs all stages. `onStage` receives the results so far, so that an interrupted run still has some. */
export async function grow(
  world: World,
  sizes: GrowthSizes,
  onStage: (growth: Growth) => Promise<void>,
): Promise<Growth> {
  const growth: Growth = { measured: [], many: [], tables: [] };
  for (const stage of stagesOf(sizes)) {
    const name = `growth_${stage.axis}_${stage.plan.hotels}_${stage.plan.rooms}`;
    await growOne(world, await world.database(name), stage, growth, sizes);
    await world.drop(name);
    await onStage(growth);
  }
  return growth;
}

function stagesOf({ rooms, records, hotels, ...fixed }: GrowthSizes): Stage[] {
  const stages: Stage[] = rooms.map((size) => ({
    axis: "rooms",
    plan: { hotels: 1, rooms: size, pastStays: fixed.pastStays },
    records: [fixed.recordsOfRooms],
    sizeAt: () => size,
  }));
  if (records.length > 0) {
    const plan = { hotels: 1, rooms: fixed.roomsOfRecords, pastStays: fixed.pastStays };
    stages.push({ axis: "records", plan, records, sizeAt: (size) => size });
  }
  for (const size of hotels) {
    stages.push({
      axis: "hotels",
      plan: { hotels: size, rooms: fixed.roomsOfHotel, pastStays: fixed.pastStaysOfHotel },
      records: [size * fixed.recordsOfHotel],
      sizeAt: () => size,
    });
  }
  return stages;
}

async function growOne(world: World, url: string, stage: Stage, growth: Growth, sizes: GrowthSizes): Promise<void> {
  const { axis, plan, records, sizeAt } = stage;
  const now = new Date();
  const lap = stopwatch();
  const hotelIds = await withClient(url, (client) => fillHotels(client, plan));
  for (const [index, count] of records.entries()) {
    const filling = { now, from: records[index - 1] ?? 0, to: count, exported: Math.min(sizes.exported, count) };
    const ground = await fillUpTo(url, hotelIds, filling);
    console.log(`${axis}, ${sizeAt(count).toLocaleString("en")}: filled in ${lap()} s`);
    await measureServed(world, url, { axis, size: sizeAt(count), hotelIds, ground }, growth, sizes);
    console.log(`  measured in ${lap()} s`);
  }
  if (axis === "records" && sizes.tableBatches > 0) {
    growth.tables = await withClient(url, (client) => measureTables(client, sizes.tableBatches));
    console.log(`  tables of records measured in ${lap()} s`);
  }
}

/** Returns a function that formats the whole seconds since it was last called. */
function stopwatch(): () => string {
  let startedAt = performance.now();
  return () => {
    const seconds = (performance.now() - startedAt) / 1000;
    startedAt = performance.now();
    return seconds.toFixed(0);
  };
}

interface Filling {
  now: Date;
  /** current and intended number of records */
  from: number;
  to: number;
  /** number of the newest records that are exported */
  exported: number;
}

/** Fills the database, then vacuums it and writes it to disk, as it would be after years of use. */
function fillUpTo(
  url: string,
  [hotelId = 0]: readonly number[],
  { now, from, to, exported }: Filling,
): Promise<Ground> {
  return withClient(url, async (client) => {
    await fillRecords(client, now, from, to);
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
    return readGround(client, hotelId, exported);
  });
}

/** The database to measure: its size on the axis and its hotels. */
interface Filled {
  axis: Axis;
  size: number;
  hotelIds: readonly number[];
  ground: Ground;
}

/**
 * Measures every operation from a desk of the first hotel on a separate server, and all hotels at once if there are
 * many.
 */
async function measureServed(
  world: World,
  url: string,
  filled: Filled,
  growth: Growth,
  sizes: GrowthSizes,
): Promise<void> {
  const { axis, size, hotelIds, ground } = filled;
  const server = await world.serve(url);
  const database = connectDatabase(url, 2, () => undefined);
  try {
    const desk = await Desk.open(server.url, ground.hotelId);
    for (const operation of operationsOn(axis, { desk, database, ground, sizes })) {
      growth.measured.push(await measure(axis, size, operation, sizes));
    }
    if (axis === "hotels") growth.many.push(await measureMany(database.pool, server, hotelIds, sizes.manySeconds));
  } finally {
    await database.close();
    await server.stop();
  }
}

/** Leaves out the exports on the hotels axis, where each hotel has too few records. */
const operationsOn = (axis: Axis, workbench: Workbench): Operation[] =>
  operationsOf(workbench).filter(({ name }) => axis !== "hotels" || !name.startsWith("export"));
