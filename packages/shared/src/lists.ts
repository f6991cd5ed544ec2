import type { Capability } from "./capabilities.ts";

/** Types of values: `time` is an ISO time, `date` a local date, `money` minor units. */
export type ColumnKind = "text" | "number" | "time" | "date" | "money";

/**
 * A column of a list. One that is only on the screen combines several columns of the file. A sensitive one is in a file
 * only if somebody selects it for that file.
 */
type Column = { heading: string; sortable?: true; sensitive?: true } & (
  | { kind: ColumnKind; only?: "file" }
  | { kind?: undefined; only: "screen" }
);

/**
 * The lists that have a screen and can be exported: the capability to see them, their title, and their columns in the
 * order of the file. How a cell looks is decided on the screen, and how a value is read from a row by the export.
 */
export const LISTS = {
  rooms: {
    capability: "rooms.view",
    title: "nav.rooms",
    columns: {
      name: { heading: "board.room", kind: "text" },
      remarkName: { heading: "room.remarkName", kind: "text", only: "file" },
      group: { heading: "board.group", kind: "text" },
      floor: { heading: "board.floor", kind: "number" },
      status: { heading: "board.status", kind: "text" },
      guest: { heading: "board.guest", kind: "text" },
      when: { heading: "board.when", only: "screen" },
      left: { heading: "board.left", only: "screen" },
      balance: { heading: "guest.balance", only: "screen" },
      arrival: { heading: "stay.arrival", kind: "time", only: "file" },
      departure: { heading: "stay.departure", kind: "time", only: "file" },
      price: { heading: "board.price", kind: "money" },
      currency: { heading: "setup.currency", kind: "text", only: "file" },
      lock: { heading: "board.lock", kind: "text" },
      power: { heading: "locks.power", kind: "number", only: "file" },
    },
  },
  guests: {
    capability: "stays.view",
    title: "nav.guests",
    columns: {
      name: { heading: "guest.name", kind: "text", sortable: true },
      state: { heading: "guest.stateLabel", kind: "text" },
      room: { heading: "guest.room", kind: "text", sortable: true },
      arrival: { heading: "guest.arrival", kind: "time", sortable: true },
      departure: { heading: "guest.departure", kind: "time", sortable: true },
      nights: { heading: "guest.nights", only: "screen" },
      balance: { heading: "guest.balance", only: "screen", sortable: true },
      cards: { heading: "guest.cards", only: "screen" },
      mobile: { heading: "guest.mobile", kind: "text" },
      nationality: { heading: "guest.nationality", kind: "text" },
      documentNumber: { heading: "guest.documentNumber", kind: "text", sensitive: true },
      breakfast: { heading: "guest.breakfast", kind: "text", only: "file" },
      primary: { heading: "guest.primary", kind: "text", only: "file" },
      otherInformation: { heading: "guest.otherInformation", kind: "text" },
      noShowReason: { heading: "stay.noShowReason", kind: "text", only: "file" },
    },
  },
  history: {
    capability: "stays.view",
    title: "nav.history",
    columns: {
      guest: { heading: "stay.guest", kind: "text" },
      otherGuests: { heading: "exports.column.otherGuests", kind: "number", only: "file" },
      rooms: { heading: "card.rooms", kind: "text" },
      checkedIn: { heading: "guest.arrived", kind: "time" },
      checkedInBy: { heading: "exports.column.checkedInBy", kind: "text", only: "file" },
      checkedOut: { heading: "guest.left", kind: "time" },
      checkedOutBy: { heading: "exports.column.checkedOutBy", kind: "text", only: "file" },
    },
  },
  customers: {
    capability: "customers.view",
    title: "nav.customers",
    columns: {
      name: { heading: "customer.name", kind: "text", sortable: true },
      kind: { heading: "customer.kind", kind: "text", only: "file" },
      company: { heading: "customer.company", kind: "text", only: "file" },
      state: { heading: "customer.state", kind: "text" },
      mobile: { heading: "customer.mobile", kind: "text" },
      email: { heading: "customer.email", kind: "text" },
      stays: { heading: "customer.stays", kind: "number", sortable: true },
      since: { heading: "customer.since", kind: "time", sortable: true },
      note: { heading: "customer.note", kind: "text" },
    },
  },
  folio: {
    capability: "folio.view",
    title: "nav.folio",
    columns: {
      type: { heading: "folio.type", kind: "text" },
      at: { heading: "folio.at", kind: "time" },
      guest: { heading: "folio.guest", kind: "text" },
      room: { heading: "folio.room", kind: "text" },
      channel: { heading: "folio.channel", kind: "text" },
      operator: { heading: "folio.operator", kind: "text" },
      amount: { heading: "folio.amount", kind: "money" },
      currency: { heading: "setup.currency", kind: "text", only: "file" },
      note: { heading: "folio.note", kind: "text" },
    },
  },
  cards: {
    capability: "cards.view",
    title: "card.cards",
    columns: {
      note: { heading: "card.note", kind: "text" },
      number: { heading: "card.number", kind: "text", only: "file", sensitive: true },
      kind: { heading: "reader.kind", kind: "text" },
      state: { heading: "card.stateLabel", kind: "text" },
      rooms: { heading: "card.rooms", kind: "text" },
      guest: { heading: "stay.guest", kind: "text", only: "file" },
      locksKnow: { heading: "card.locksKnow", kind: "text" },
      period: { heading: "card.valid", only: "screen" },
      validFrom: { heading: "card.validFrom", kind: "time", only: "file" },
      validTo: { heading: "card.validTo", kind: "time", only: "file" },
      lastUsed: { heading: "card.lastUsed", kind: "time" },
      issuedBy: { heading: "card.issuedBy", kind: "text" },
      issued: { heading: "passcode.issued", kind: "time", only: "file" },
    },
  },
  passcodes: {
    capability: "passcodes.view",
    title: "nav.passcodes",
    columns: {
      person: { heading: "passcode.personColumn", kind: "text" },
      type: { heading: "passcode.type", kind: "text" },
      rooms: { heading: "passcode.rooms", kind: "text" },
      period: { heading: "passcode.period", only: "screen" },
      validFrom: { heading: "passcode.validFrom", kind: "time", only: "file" },
      validTo: { heading: "passcode.validTo", kind: "time", only: "file" },
      state: { heading: "locks.state", kind: "text" },
      issued: { heading: "passcode.issued", kind: "time" },
      operator: { heading: "folio.operator", kind: "text", only: "file" },
      note: { heading: "passcode.note", kind: "text", only: "file" },
    },
  },
  faces: {
    capability: "faces.view",
    title: "nav.faces",
    columns: {
      note: { heading: "face.note", kind: "text" },
      guest: { heading: "face.guest", kind: "text" },
      rooms: { heading: "card.rooms", kind: "text" },
      state: { heading: "locks.state", kind: "text" },
      consent: { heading: "face.consentGiven", kind: "time" },
      takenIn: { heading: "face.takenIn", kind: "time" },
      operator: { heading: "folio.operator", kind: "text" },
    },
  },
  locks: {
    capability: "locks.view",
    title: "nav.locks",
    columns: {
      room: { heading: "board.room", kind: "text", sortable: true },
      state: { heading: "locks.state", kind: "text", sortable: true },
      power: { heading: "locks.power", kind: "number", sortable: true },
      weeksLeft: { heading: "locks.battery.weeksLeft", kind: "number", sortable: true },
      clock: { heading: "locks.clock", kind: "number", sortable: true },
      lastSeen: { heading: "room.lastSeen", kind: "time", sortable: true },
      waiting: { heading: "locks.waiting", kind: "number", sortable: true },
      driver: { heading: "room.driver", kind: "text" },
      mac: { heading: "room.mac", kind: "text" },
      bluetoothName: { heading: "room.bluetoothName", kind: "text", only: "file" },
      firmware: { heading: "room.firmware", kind: "text", sortable: true },
    },
  },
  unlocks: {
    capability: "unlocks.view",
    title: "nav.doorRecords",
    columns: {
      at: { heading: "room.unlockAt", kind: "time" },
      room: { heading: "board.room", kind: "text" },
      style: { heading: "room.unlockStyle", kind: "text" },
      result: { heading: "room.unlockResult", kind: "text" },
      reason: { heading: "status.note", kind: "text", only: "file" },
      who: { heading: "doors.who", only: "screen" },
      guest: { heading: "stay.guest", kind: "text", only: "file" },
      holder: { heading: "doors.holder", kind: "text", only: "file" },
      operator: { heading: "room.operator", kind: "text", only: "file" },
      source: { heading: "room.unlockFrom", kind: "text" },
      content: { heading: "room.unlockContent", kind: "text" },
    },
  },
  alerts: {
    capability: "alerts.view",
    title: "nav.alerts",
    columns: {
      kind: { heading: "alert.kindLabel", kind: "text", only: "file" },
      text: { heading: "alert.what", kind: "text" },
      door: { heading: "alert.door", kind: "text" },
      state: { heading: "alert.state", kind: "text" },
      count: { heading: "alert.times", kind: "number" },
      last: { heading: "alert.last", kind: "time" },
      first: { heading: "alert.first", kind: "time" },
    },
  },
  staff: {
    capability: "staff.view",
    title: "nav.staff",
    columns: {
      name: { heading: "staff.name", kind: "text", sortable: true },
      state: { heading: "staff.state", kind: "text", sortable: true },
      role: { heading: "staff.role", kind: "text", sortable: true },
      account: { heading: "staff.account", only: "screen" },
      mobile: { heading: "guest.mobile", kind: "text", only: "file" },
      email: { heading: "guest.email", kind: "text", only: "file" },
      rooms: { heading: "staff.rooms", kind: "text" },
      twoStep: { heading: "staff.twoStep", kind: "text", sortable: true },
      lastSeen: { heading: "staff.lastSeen", kind: "time", sortable: true },
      registered: { heading: "staff.registered", kind: "time" },
    },
  },
  cardReaders: {
    capability: "cardReaders.view",
    title: "nav.cardReaders",
    columns: {
      name: { heading: "cardReader.name", kind: "text" },
      state: { heading: "cardReader.state", only: "screen" },
      deviceNo: { heading: "cardReader.deviceNo", kind: "text" },
      type: { heading: "cardReader.type", kind: "text" },
      holder: { heading: "cardReader.boundTo", kind: "text" },
      lastSeen: { heading: "cardReader.lastSeen", kind: "time" },
      registered: { heading: "cardReader.since", kind: "time" },
      note: { heading: "cardReader.note", kind: "text" },
    },
  },
  audit: {
    capability: "audit.view",
    title: "nav.audit",
    columns: {
      at: { heading: "folio.at", kind: "time" },
      actor: { heading: "folio.operator", kind: "text" },
      action: { heading: "exports.column.action", kind: "text" },
      entity: { heading: "exports.column.entity", kind: "text" },
      before: { heading: "audit.before", kind: "text" },
      after: { heading: "audit.after", kind: "text" },
      address: { heading: "exports.column.address", kind: "text" },
      seq: { heading: "exports.column.seq", kind: "number" },
    },
  },
  breakfast: {
    capability: "breakfast.manage",
    title: "nav.breakfast",
    columns: {
      room: { heading: "board.room", kind: "text" },
      guest: { heading: "stay.guest", kind: "text" },
      date: { heading: "exports.column.date", kind: "date" },
      eaten: { heading: "exports.column.eaten", kind: "time" },
      operator: { heading: "folio.operator", kind: "text" },
    },
  },
  occupancy: {
    capability: "reports.view",
    title: "nav.occupancy",
    columns: {
      when: { heading: "occupancy.period", only: "screen" },
      from: { heading: "occupancy.from", kind: "date", only: "file" },
      to: { heading: "occupancy.to", kind: "date", only: "file" },
      rooms: { heading: "occupancy.rooms", kind: "number" },
      sold: { heading: "occupancy.sold", kind: "number" },
      share: { heading: "occupancy.share", kind: "number" },
      rate: { heading: "occupancy.rate", kind: "money" },
      perRoom: { heading: "occupancy.perRoom", kind: "money" },
      revenue: { heading: "occupancy.revenue", kind: "money" },
      currency: { heading: "setup.currency", kind: "text", only: "file" },
    },
  },
} as const satisfies Record<string, { capability: Capability; title: string; columns: Record<string, Column> }>;

type Lists = typeof LISTS;
export type ListName = keyof Lists;
type Columns<List extends ListName> = Lists[List]["columns"];
type NamesWithout<Named, Only> = {
  [Name in keyof Named]: Named[Name] extends { only: Only } ? never : Name;
}[keyof Named];

/** Names of a list's columns on its screen. */
export type ScreenColumnName<List extends ListName> = NamesWithout<Columns<List>, "file"> & string;
/** Names of a list's columns in its file. */
export type FileColumnName<List extends ListName> = NamesWithout<Columns<List>, "screen"> & string;

export const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]];

/** Returns a list's column; undefined for an unknown name. */
export function columnOf(list: ListName, name: string): Column | undefined {
  const columns: Record<string, Column> = LISTS[list].columns;
  return Object.hasOwn(columns, name) ? columns[name] : undefined;
}

/** Returns the columns that a file of the list can have, in the standard order. */
export function fileColumns(list: ListName): string[] {
  const columns: Record<string, Column> = LISTS[list].columns;
  return Object.keys(columns).filter((name) => columns[name]?.only !== "screen");
}

/** Checks whether a column is left out of a file unless somebody selects it for that file. */
export function isSensitive(list: ListName, name: string): boolean {
  return columnOf(list, name)?.sensitive === true;
}

type SortableName<List extends ListName> = {
  [Name in keyof Columns<List>]: Columns<List>[Name] extends { sortable: true } ? Name : never;
}[keyof Columns<List>] &
  string;

/** Returns how a list can be sorted: by the name of a column, with "-" for descending order. */
export function sortsOf<List extends ListName>(list: List): (SortableName<List> | `-${SortableName<List>}`)[] {
  const columns: Record<string, Column> = LISTS[list].columns;
  const names = Object.keys(columns).filter((name) => columns[name]?.sortable) as SortableName<List>[];
  return names.flatMap((name) => [name, `-${name}` as const]);
}

/**
 * Limit up to which ever-growing lists are counted; a total of exactly this number means "at least". Rows beyond it can
 * be found by date: counting all of them would cost more every year for a number of no use.
 */
export const COUNTED_TO = 10_000;
