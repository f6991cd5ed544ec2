import { CustomerKind, DocumentType, Gender } from "@innkey/shared/enums";
import { DomainError, type FieldMessage, fieldMessages } from "@innkey/shared/errors";
import { plain } from "@innkey/shared/imports/cells";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import { LANGUAGES } from "@innkey/shared/languages";
import type { ImportAct, ImportInput, ImportOutput, ImportProblem, ImportRunInput } from "@innkey/shared/schemas/data";
import { COUNTRY } from "@innkey/shared/schemas/fields";
import type { z } from "zod";
import { type Translate, translator } from "../../../kernel/translate.ts";

/** @throws import_has_errors for a table with errors, unless rows with errors are to be skipped */
export function refuseErrors(table: Table, { skipErrors }: ImportRunInput): void {
  if (table.hasErrors && !skipErrors) throw new DomainError("import_has_errors");
}

/** Row of a table with its problems. */
export interface Row {
  index: number;
  /** Text of the cell; empty if the cell is empty or the column is missing. */
  cell(column: ImportColumn): string;
  problem(column: ImportColumn | null, message: FieldMessage): void;
  hasProblem(): boolean;
}

/** Table being imported: its rows, their problems and what happens to each row. */
export class Table {
  readonly rows: readonly Row[];
  readonly problems: ImportProblem[] = [];
  readonly acts: ImportAct[];
  readonly parties: number[];
  readonly newGroups = new Set<string>();
  readonly #rowsWithProblems = new Set<number>();

  constructor(readonly input: ImportInput) {
    const columns = new Map(input.mapping.flatMap((column, at) => (column ? [[column, at] as const] : [])));
    this.acts = input.rows.map(() => "skip");
    this.parties = input.rows.map((_, index) => index);
    this.rows = input.rows.map((cells, index) => ({
      index,
      cell: (column) => cells[columns.get(column) ?? -1]?.trim() ?? "",
      problem: (column, message) => this.problem(index, column, message),
      hasProblem: () => this.#rowsWithProblems.has(index),
    }));
  }

  problem(row: number, column: ImportColumn | null, { key, params }: FieldMessage): void {
    this.#rowsWithProblems.add(row);
    this.acts[row] = "error";
    this.problems.push({ row, column, key, params });
  }

  get hasErrors(): boolean {
    return this.#rowsWithProblems.size > 0;
  }

  /** Checks whether any row has a value in one of these columns. */
  hasValues(columns: readonly ImportColumn[]): boolean {
    const columnsPresent = columns.filter((column) => this.input.mapping.includes(column));
    return (
      columnsPresent.length > 0 && this.rows.some((row) => columnsPresent.some((column) => row.cell(column) !== ""))
    );
  }

  output(): ImportOutput {
    const { acts, parties } = this;
    const problems = this.problems.toSorted((a, b) => a.row - b.row);
    return { acts, problems, newGroups: [...this.newGroups], parties };
  }

  counts(): Partial<Record<ImportAct, number>> {
    const counts: Partial<Record<ImportAct, number>> = {};
    for (const act of this.acts) counts[act] = (counts[act] ?? 0) + 1;
    return counts;
  }
}

/**
 * Parses the row with `schema`. On errors returns null and records one problem for each path, under the column that
 * `columnOf` returns for it.
 */
export function parseRow<S extends z.ZodType>(
  row: Row,
  schema: S,
  value: z.input<S>,
  columnOf: (path: string) => ImportColumn | null,
): z.output<S> | null {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const [path, message] of Object.entries(fieldMessages(result.error.issues)))
    row.problem(columnOf(path), message);
  return null;
}

/** Words that other systems write, besides the console's own words in all languages. */
const MORE_WORDS = {
  gender: {
    male: "m male man mr herr h hombre homme uomo maschio mann masculino masculin maschile 男 男性 男士 先生 남 남성 남자 м муж мужской ذكر",
    female:
      "f female w woman mrs ms frau mujer femme donna femmina femenino feminino féminin femminile 女 女性 女士 小姐 여 여성 여자 ж жен женский أنثى",
    other: "o other x d divers diverse otro outro autre altro 其他 その他 기타 другой آخر",
  },
  document: {
    id_card:
      "id idcard identitycard identity personalausweis ausweis dni cni carteidentite cartaidentita rg 身份证 身分證 居民身份证 身分証 신분증 주민등록증 паспортрф удостоверение هوية بطاقة",
    passport:
      "p passport pass reisepass pasaporte passaporte passeport passaporto 护照 護照 パスポート 旅券 여권 загранпаспорт паспорт جواز",
    driving_licence:
      "driverlicense driverslicense drivinglicense fuehrerschein führerschein permisdeconduire patente 驾驶证 駕照 運転免許証 운전면허증",
    residence_permit:
      "residencepermit aufenthaltstitel nie titredesejour permessodisoggiorno 居留许可 居留證 在留カード 외국인등록증 внж إقامة",
    other: "other sonstiges otro outro autre altro 其他 その他 기타 другой",
  },
  customer: {
    person:
      "p person individual private privat privatperson persona pessoa particulier particular privato 个人 個人 개인 физлицо частное فرد شخص",
    company:
      "c company business firm firma unternehmen empresa société entreprise azienda ditta 公司 企业 企業 法人 会社 회사 기업 юрлицо компания организация شركة",
  },
} as const;

const foldCase = (text: string): string =>
  plain(text)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

type Words<Value extends string> = ReadonlyMap<string, Value>;

function wordsOf<Value extends string>(
  values: readonly Value[],
  more: Record<Value, string>,
  text: (t: Translate, value: Value) => string,
): Words<Value> {
  const words = new Map<string, Value>();
  for (const value of values) {
    for (const { code } of LANGUAGES) words.set(foldCase(text(translator(code), value)), value);
    for (const word of [value, ...more[value].split(" ")]) words.set(foldCase(word), value);
  }
  return words;
}

let vocabularyOnce: { gender: Words<Gender>; document: Words<DocumentType>; customer: Words<CustomerKind> } | undefined;
function vocabulary() {
  vocabularyOnce ??= {
    gender: wordsOf(Gender.options, MORE_WORDS.gender, (t, value) => t(`guest.genderOf.${value}`)),
    document: wordsOf(DocumentType.options, MORE_WORDS.document, (t, value) => t(`guest.document.${value}`)),
    customer: wordsOf(CustomerKind.options, MORE_WORDS.customer, (t, value) => t(`customer.kindOf.${value}`)),
  };
  return vocabularyOnce;
}

/** These read a word in any of the console's languages; null if it is unknown. */
export const genderOf = (cell: string): Gender | null => vocabulary().gender.get(foldCase(cell)) ?? null;
export const documentTypeOf = (cell: string): DocumentType | null => vocabulary().document.get(foldCase(cell)) ?? null;
export const customerKindOf = (cell: string): CustomerKind | null => vocabulary().customer.get(foldCase(cell)) ?? null;

let countries: Map<string, string> | undefined;
/**
 * Returns the ISO 3166-1 alpha-2 code for a code, or for a country's name in any of the console's languages; null if it
 * is unknown.
 */
export function countryOf(cell: string): string | null {
  const code = plain(cell).toUpperCase();
  if (COUNTRY.test(code)) return code;
  countries ??= new Map(LANGUAGES.flatMap(({ tag }) => namesIn(tag)));
  return countries.get(foldCase(cell)) ?? null;
}

function namesIn(tag: string): [string, string][] {
  const names = new Intl.DisplayNames([tag], { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters.flatMap((one) =>
    letters.flatMap((two): [string, string][] => {
      const name = names.of(one + two);
      return name ? [[foldCase(name), one + two]] : [];
    }),
  );
}
