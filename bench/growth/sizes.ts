/** The axes that grow, one at a time. */
export const AXES = {
  rooms: "rooms of one hotel",
  records: "unlock records of one hotel",
  hotels: "hotels in one database",
} as const;
export type Axis = keyof typeof AXES;
export const AXIS_NAMES = Object.keys(AXES) as Axis[];

/** Sizes of a run. An axis with no sizes is left out. */
export type GrowthSizes = Record<Axis, readonly number[]> & {
  /** past stays of each room, while the number of hotels is fixed */
  pastStays: number;
  /** records of the hotel whose rooms grow */
  recordsOfRooms: number;
  /** rooms of the hotel whose records grow */
  roomsOfRecords: number;
  /** for each hotel on the hotels axis */
  roomsOfHotel: number;
  pastStaysOfHotel: number;
  recordsOfHotel: number;
  /** calls of each operation, and those before them that are not measured */
  calls: number;
  warmCalls: number;
  /** records in an export; fewer than 6,000 would not become a file */
  exported: number;
  /** time of each measurement with many hotels at once */
  manySeconds: number;
  /** batches of the comparison of one table of records with one for each month; 0 leaves it out */
  tableBatches: number;
};

export const FULL: GrowthSizes = {
  rooms: [10, 100, 1_000, 5_000],
  records: [100_000, 1_000_000, 10_000_000],
  hotels: [1, 100, 1_000],
  pastStays: 20,
  recordsOfRooms: 100_000,
  roomsOfRecords: 100,
  roomsOfHotel: 50,
  pastStaysOfHotel: 5,
  recordsOfHotel: 1_000,
  calls: 60,
  warmCalls: 3,
  exported: 100_000,
  manySeconds: 6,
  tableBatches: 50,
};

/** The rooms take the same way as the hotels and are left out. */
export const TINY: GrowthSizes = {
  rooms: [],
  records: [6_000, 7_000],
  hotels: [2],
  pastStays: 2,
  recordsOfRooms: 6_000,
  roomsOfRecords: 10,
  roomsOfHotel: 10,
  pastStaysOfHotel: 1,
  recordsOfHotel: 500,
  calls: 2,
  warmCalls: 1,
  exported: 6_000,
  manySeconds: 0.2,
  tableBatches: 2,
};
