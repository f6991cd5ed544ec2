import { connectDatabase } from "../../apps/server/src/infra/database/client.ts";
import { Desk } from "./desk.ts";
import { fillHotels, type HotelsPlan } from "./fill-hotels.ts";
import { fillRecords } from "./fill-records.ts";
import { groundOf } from "./ground.ts";
import { type ManyHotels, measureMany } from "./many-hotels.ts";
import { type Measured, measure } from "./measured.ts";
import { operationsOf } from "./operations.ts";
import { measureTables, type TableCost } from "./partitions.ts";
import { type Axis, FIXED, type Wanted } from "./sizes.ts";
import { type World, withClient } from "./world.ts";

/** What a run found out. */
export interface Growth {
  measured: Measured[];
  many: ManyHotels[];
  tables: TableCost[];
}

/** A database with so many hotels, measured at each number of records. */
interface Stage {
  axis: Axis;
  plan: HotelsPlan;
  records: readonly number[];
  /** of what grows on this axis, at a number of records */
  sizeAt: (records: number) => number;
}

/** `onStage` hears what is known so far: a run that is cut short has not been for nothing. */
export async function grow(world: World, wanted: Wanted, onStage: (growth: Growth) => Promise<void>): Promise<Growth> {
  const growth: Growth = { measured: [], many: [], tables: [] };
  for (const stage of stagesOf(wanted)) {
    const name = `growth_${stage.axis}_${stage.plan.hotels}_${stage.plan.rooms}`;
    await growOne(world, await world.database(name), stage, growth, wanted);
    await world.drop(name);
    await onStage(growth);
  }
  return growth;
}

function stagesOf({ sizes }: Wanted): Stage[] {
  const { pastStays, records, rooms, ofHotels } = FIXED;
  return [
    ...sizes.rooms.map((size): Stage => {
      return { axis: "rooms", plan: { hotels: 1, rooms: size, pastStays }, records: [records], sizeAt: () => size };
    }),
    ...(sizes.records.length > 0
      ? [
          {
            axis: "records" as const,
            plan: { hotels: 1, rooms, pastStays },
            records: sizes.records,
            sizeAt: (size: number) => size,
          },
        ]
      : []),
    ...sizes.hotels.map((hotels): Stage => {
      return {
        axis: "hotels",
        plan: { ...ofHotels, hotels },
        records: [hotels * ofHotels.records],
        sizeAt: () => hotels,
      };
    }),
  ];
}

async function growOne(
  world: World,
  url: string,
  { axis, plan, records, sizeAt }: Stage,
  growth: Growth,
  wanted: Wanted,
): Promise<void> {
  const now = new Date();
  let begun = performance.now();
  const hotelIds = await withClient(url, (client) => fillHotels(client, plan));
  const [hotelId = 0] = hotelIds;
  for (const [index, count] of records.entries()) {
    const ground = await withClient(url, async (client) => {
      await fillRecords(client, now, records[index - 1] ?? 0, count);
      await client.query("VACUUM (ANALYZE)");
      await client.query("CHECKPOINT");
      return groundOf(client, hotelId, count);
    });
    const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${axis}, ${sizeAt(count).toLocaleString("en")}: filled in ${seconds()} s`);
    begun = performance.now();
    const server = await world.serve(url);
    const database = connectDatabase(url, 2, () => undefined);
    try {
      const desk = await Desk.open(server.url, hotelId);
      for (const operation of operationsOf({ desk, database, ground })) {
        // Of the few records of each of many hotels there is no file worth the name.
        if (axis === "hotels" && operation.name.startsWith("export")) continue;
        growth.measured.push(await measure(axis, sizeAt(count), operation));
      }
      if (axis === "hotels") growth.many.push(await measureMany(database.pool, server, hotelIds));
    } finally {
      await database.close();
      await server.stop();
    }
    console.log(`  measured in ${seconds()} s`);
    begun = performance.now();
  }
  if (axis === "records" && wanted.tables) {
    growth.tables = await withClient(url, measureTables);
    console.log(`  tables of records measured in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  }
}
