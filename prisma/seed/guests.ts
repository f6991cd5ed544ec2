import type { Gender } from "../../packages/shared/src/enums.ts";
import type { LocalDate } from "../../packages/shared/src/hotel-time.ts";
import { PEOPLE, type People } from "./names.ts";
import type { Random } from "./random.ts";

/** A guest before its row is written. */
export interface Person {
  name: string;
  gender: Gender;
  nationality: string;
  birthDate: LocalDate;
  documentType: People["document"] | null;
  documentNumber: string;
  mobile: string;
  email: string;
}

/** People who travel together, starting with the one who books. */
export type Party = readonly Person[];

const SIZES = [
  [1, 45],
  [2, 38],
  [3, 9],
  [4, 8],
] as const;

/** Creates parties in which no two people share a name, so that a name on the board identifies one person. */
export function makeParties(random: Random, count: number, year: number): Party[] {
  const names = new Set<string>();
  return Array.from({ length: count }, () => {
    const people = random.weighted(PEOPLE.map((entry) => [entry, entry.weight] as const));
    const family = random.pick(people.family);
    const size = random.weighted(SIZES);
    const first: Gender = random.chance(0.52) ? "male" : "female";
    const age = random.int(24, 74);
    return Array.from({ length: size }, (_, index) => {
      const gender = index === 0 ? first : index === 1 ? other(first) : random.pick(["male", "female"] as const);
      const years = index === 0 ? age : index === 1 ? Math.max(20, age + random.int(-7, 7)) : random.int(3, 15);
      return makePerson(random, people, family, gender, year - years, index, names);
    });
  });
}

const other = (gender: Gender): Gender => (gender === "male" ? "female" : "male");

function makePerson(
  random: Random,
  people: People,
  preferredFamily: string,
  gender: Gender,
  birthYear: number,
  index: number,
  names: Set<string>,
): Person {
  const firstNames = gender === "male" ? people.male : people.female;
  const { first, name } = unusedName(random, people, firstNames, preferredFamily, gender, names);
  const child = index >= 2;
  return {
    name,
    gender,
    nationality: people.country,
    birthDate: `${birthYear}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`,
    documentType: child && people.document === "id_card" ? null : people.document,
    documentNumber: child && people.document === "id_card" ? "" : fillPattern(random, people.documentPattern),
    mobile: index === 0 || (!child && random.chance(0.3)) ? fillPattern(random, people.mobilePattern) : "",
    email: index === 0 ? emailOf(first, name) : "",
  };
}

/** Returns an unused name of the family, or of another family of the country if all its names are taken. */
function unusedName(
  random: Random,
  people: People,
  givenNames: readonly string[],
  preferredFamily: string,
  gender: Gender,
  names: Set<string>,
): { first: string; name: string } {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const family = attempt < 20 ? preferredFamily : random.pick(people.family);
    const first = random.pick(givenNames);
    const name = people.write(first, gender === "female" && people.feminine ? people.feminine(family) : family);
    if (names.has(name)) continue;
    names.add(name);
    return { first, name };
  }
  throw new Error(`no names left for ${people.country}`);
}

const LETTERS = "CFGHJKLMNPRTVWXYZ";

function fillPattern(random: Random, pattern: string): string {
  return pattern.replace(/[#@]/g, (sign) => (sign === "#" ? random.digits(1) : random.pick([...LETTERS])));
}

/** Returns an address, or "" for names that can't be part of one. The domain is reserved for examples (RFC 2606). */
function emailOf(first: string, name: string): string {
  const plain = (text: string): string =>
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replace(/ł/g, "l")
      .replace(/ı/g, "i")
      .toLowerCase()
      .replaceAll(" ", "-");
  const local = `${plain(first)}.${plain(name.slice(first.length + 1))}`;
  return /^[a-z.-]+$/.test(local) ? `${local}@example.com` : "";
}

const two = (value: number): string => String(value).padStart(2, "0");
