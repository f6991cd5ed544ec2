import type { Capability } from "../../packages/shared/src/capabilities.ts";
import type { Role } from "../../packages/shared/src/enums.ts";

export interface OperatorPlan {
  mobile: string;
  email: string;
  name: string;
  gender: "male" | "female";
  nationality: string;
  birthDate: string;
  role: Role;
  apiKeyAuth: boolean;
  capabilities: readonly Capability[];
  /** names of the rooms a staff member works in */
  rooms: readonly string[];
  /** whether they take bookings at the desk */
  desk: boolean;
}

const DESK: readonly Capability[] = [
  "rooms.view",
  "rooms.status",
  "stays.view",
  "stays.manage",
  "customers.view",
  "customers.manage",
  "folio.view",
  "unlocks.view",
  "hotel.view",
];
const HOUSEKEEPING: readonly Capability[] = ["rooms.view", "rooms.status", "unlocks.view"];

const roomNames = (floor: number, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${floor}${String(from + index).padStart(2, "0")}`);

const administration = { capabilities: [], rooms: [], desk: true } as const;

/** All operators. The first three are the logins listed with the demo. */
export const OPERATORS: readonly OperatorPlan[] = [
  {
    ...administration,
    mobile: "13800000001",
    email: "karla@hotel-messing.example",
    name: "Karla Messing",
    gender: "female",
    nationality: "DE",
    birthDate: "1971-03-18",
    role: "owner",
    apiKeyAuth: true,
  },
  {
    ...administration,
    mobile: "13800000002",
    email: "david@hotel-messing.example",
    name: "David Okonkwo",
    gender: "male",
    nationality: "GB",
    birthDate: "1984-11-02",
    role: "administrator",
    apiKeyAuth: false,
  },
  {
    mobile: "13800000003",
    email: "mei@hotel-messing.example",
    name: "林美玲",
    gender: "female",
    nationality: "TW",
    birthDate: "1996-06-24",
    role: "staff",
    apiKeyAuth: false,
    capabilities: DESK,
    rooms: roomNames(1, 1, 8),
    desk: true,
  },
  {
    ...administration,
    mobile: "13800000004",
    email: "aylin@hotel-messing.example",
    name: "Aylin Kaya",
    gender: "female",
    nationality: "DE",
    birthDate: "1989-09-12",
    role: "administrator",
    apiKeyAuth: true,
  },
  {
    mobile: "13800000005",
    email: "piotr@hotel-messing.example",
    name: "Piotr Zieliński",
    gender: "male",
    nationality: "PL",
    birthDate: "1992-01-30",
    role: "staff",
    apiKeyAuth: false,
    capabilities: [...DESK, "guests.documents", "prices.agree"],
    rooms: [2, 3, 4, 5, 6].flatMap((floor) => roomNames(floor, 1, 10)),
    desk: true,
  },
  {
    mobile: "13800000006",
    email: "fatima@hotel-messing.example",
    name: "فاطمة الزهراء",
    gender: "female",
    nationality: "MA",
    birthDate: "1979-05-07",
    role: "staff",
    apiKeyAuth: false,
    capabilities: HOUSEKEEPING,
    rooms: [1, 2, 3].flatMap((floor) => roomNames(floor, 1, 10)),
    desk: false,
  },
  {
    mobile: "13800000007",
    email: "bogdan@hotel-messing.example",
    name: "Bogdan Ionescu",
    gender: "male",
    nationality: "RO",
    birthDate: "1987-12-15",
    role: "staff",
    apiKeyAuth: false,
    capabilities: HOUSEKEEPING,
    rooms: [4, 5, 6].flatMap((floor) => roomNames(floor, 1, 10)),
    desk: false,
  },
];

export const CUSTOMERS = [
  {
    kind: "company",
    name: "Spreebogen Reisen GmbH",
    company: "",
    contact: "Group bookings, pays by transfer within 14 days.",
  },
  {
    kind: "company",
    name: "Norddeutsche Prüftechnik AG",
    company: "",
    contact: "Fitters, Monday to Thursday. Singles on low floors.",
  },
  { kind: "company", name: "Atelier Rousseau & Fils", company: "", contact: "" },
  { kind: "company", name: "Konzerthaus am Park", company: "", contact: "Soloists: quiet rooms, late breakfast." },
  { kind: "company", name: "上海悦途旅行社", company: "", contact: "Arrivals usually after 21:00." },
  { kind: "person", name: "Dr. Ingrid Sauer", company: "Charité", contact: "" },
  { kind: "person", name: "Marco Bellini", company: "Bellini Design", contact: "Every Milan–Berlin fair; wants 610." },
  { kind: "person", name: "Eleanor Whitby", company: "", contact: "" },
  { kind: "person", name: "佐々木 健", company: "東京光学株式会社", contact: "" },
  { kind: "person", name: "Hélène Garnier", company: "", contact: "Feather-free bedding." },
  { kind: "person", name: "Tomasz Nowicki", company: "Nowicki Transport", contact: "" },
  { kind: "person", name: "خالد المصري", company: "", contact: "" },
] as const;
