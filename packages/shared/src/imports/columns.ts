/** Kinds of import and their columns, in the order of the template. */
export const IMPORT_KINDS = ["rooms", "guests", "customers"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_COLUMNS = {
  rooms: [
    "name",
    "group",
    "floor",
    "sort",
    "remarkName",
    "description",
    "bulletin",
    "mac",
    "bluetoothName",
    "deposit",
    "usual",
    "weekend",
    "renewal",
    "hour",
    "month",
    "year",
  ],
  guests: [
    "name",
    "gender",
    "nationality",
    "birthDate",
    "documentType",
    "documentNumber",
    "mobile",
    "email",
    "room",
    "arrival",
    "departure",
    "price",
  ],
  customers: ["kind", "name", "mobile", "email", "company", "note"],
} as const satisfies Record<ImportKind, readonly string[]>;

export type ImportColumn = (typeof IMPORT_COLUMNS)[ImportKind][number];

/** Columns with a room's prices; importing them requires the permission to set prices. */
export const PRICE_COLUMNS = ["deposit", "usual", "weekend", "renewal", "hour", "month", "year"] as const;

export const MAX_IMPORT_ROWS = 5000;
export const MAX_IMPORT_COLUMNS = 60;
export const MAX_IMPORT_CELL = 2000;
export const MAX_IMPORT_BYTES = 2 * 1024 * 1024;
