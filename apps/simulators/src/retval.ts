/** Result codes of the reader family (source: device notes, section A1). */
export const RETVAL = {
  done: 0x00,
  parameter: 0x0c,
  noCard: 0x0d,
  request: 0x14,
  authentication: 0x16,
  read: 0x17,
  write: 0x18,
  noDevice: 0xc1,
  notOpen: 0xc2,
  handle: 0xc7,
} as const;

/** Result code of a reader operation, and its data if the code is 0. */
export interface Outcome {
  retval: number;
  /** hex */
  data: string;
}

export const done = (data = ""): Outcome => ({ retval: RETVAL.done, data });
export const refused = (retval: number): Outcome => ({ retval, data: "" });
