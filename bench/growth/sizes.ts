/** The axes that grow, one at a time, and their sizes. */
export const AXES = {
  rooms: { title: "rooms of one hotel", sizes: [10, 100, 1_000, 5_000] },
  records: { title: "unlock records of one hotel", sizes: [100_000, 1_000_000, 10_000_000] },
  hotels: { title: "hotels in one database", sizes: [1, 100, 1_000] },
} as const;
export type Axis = keyof typeof AXES;
export const AXIS_NAMES = Object.keys(AXES) as Axis[];

/** Fixed sizes while another axis grows. */
export const FIXED = {
  /** past stays of each room */
  pastStays: 20,
  /** records of one hotel while its rooms grow */
  records: 100_000,
  /** rooms of the hotel whose records grow */
  rooms: 100,
  /** for each hotel on the hotels axis */
  ofHotels: { rooms: 50, pastStays: 5, records: 1_000 },
};

export interface RunOptions {
  sizes: Record<Axis, readonly number[]>;
  /** whether to compare one table of records with one per month */
  tables: boolean;
  write: boolean;
  again: boolean;
}

/**
 * Reads the command line. `--most-rooms=…`, `--most-records=…` and `--most-hotels=…` limit an axis; 0 leaves it out.
 */
export function readOptions(argv: readonly string[]): RunOptions {
  const most = (name: string): number => {
    const option = argv.find((argument) => argument.startsWith(`--most-${name}=`));
    return option === undefined ? Number.POSITIVE_INFINITY : Number(option.split("=")[1]);
  };
  const sizes = (axis: Axis): number[] => AXES[axis].sizes.filter((size) => size <= most(axis));
  return {
    sizes: { rooms: sizes("rooms"), records: sizes("records"), hotels: sizes("hotels") },
    tables: !argv.includes("--no-tables"),
    write: argv.includes("--write"),
    again: argv.includes("--again"),
  };
}
