import { ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { LANGUAGES } from "@innkey/shared/languages";
import type { Translate } from "../../../kernel/translate.ts";
import { encrypt, LEGACY_CIPHERS, type LegacyCipherName } from "../envelope.ts";
import { endpoints } from "../registry.ts";
import {
  type CallDescription,
  describeCalls,
  describeError,
  EXAMPLE_CIPHERS,
  exampleOf,
  type FieldDescription,
} from "./describe.ts";

/** Elements of a documentation page, independent of the output format. Backticks mark code in texts. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "list"; items: readonly string[] }
  | { kind: "table"; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: "label"; text: string }
  | { kind: "json"; text: string };

/** A chapter, or a call within a chapter. */
export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
  sections: readonly Section[];
}

/** Returns the chapters that apply to every call: envelope, ciphers, values, repeats and errors. */
function chapters(): Section[] {
  return [
    chapter("envelope", "The envelope", [
      {
        kind: "text",
        text: "Every call is a `POST` to its path. Its body, JSON or `application/x-www-form-urlencoded`, has two fields:",
      },
      {
        kind: "list",
        items: [
          '`data`: base64 of the encrypted UTF-8 JSON `{…the fields of the call, "action":"manage"}`;',
          "`language`: the language of `errmsg`. The header `language` works too; if both are given, the body's takes precedence. An unknown language means English.",
        ],
      },
      {
        kind: "text",
        text: 'The header `X-Token` carries the token returned by `/manage/login`. Every outcome, including a refusal, is HTTP 200 with a body of `{"data":"…"}`: base64 of the encrypted JSON `{errno, errmsg, data}`. `errno` 0 is success. An envelope that can\'t be opened is HTTP 400 with `{"error":"The request can\'t be read."}`, whatever is wrong with it; a body that is too large is HTTP 413. Calls without a token accept 16 KiB. Other calls accept 1 MiB, and those with pictures 8 MiB, if `X-Token` carries the token of a live session, and 16 KiB otherwise.',
      },
      {
        kind: "table",
        head: ["language", "header or body", "body only"],
        rows: LANGUAGES.map(({ nativeName, header, code }) => [nativeName, `\`${header}\``, `\`${code}\``]),
      },
    ]),
    chapter("ciphers", "The ciphers", [
      {
        kind: "text",
        text: "CBC with PKCS#7 padding; key and IV are fixed. `node apps/server/dist/cli/show-legacy-key.js` on the server prints those of the hotel. An answer is encrypted with the cipher of its request.",
      },
      {
        kind: "table",
        head: ["cipher", "key", "IV", "with OpenSSL 3"],
        rows: ciphers.map(([name, { keyBytes, ivBytes }]) => [
          `\`${name}\``,
          `${keyBytes} bytes`,
          `${ivBytes} bytes`,
          `\`${OPENSSL[name]}\``,
        ]),
      },
      {
        kind: "text",
        text: "`des-cbc` is weak and only meant for clients that support nothing else; use it only over HTTPS. OpenSSL 3 no longer has single DES; triple DES with the same key three times is identical, byte for byte.",
      },
      {
        kind: "text",
        text: 'The examples on this page are encrypted with public keys that no hotel uses. This is `{"action":"manage"}`:',
      },
      {
        kind: "table",
        head: ["cipher", "key (hex)", "IV (hex)", "sealed"],
        rows: ciphers.map(([name]) => {
          const cipher = EXAMPLE_CIPHERS[name];
          const sealed = encrypt(cipher, '{"action":"manage"}').toString("base64");
          return [name, cipher.key.toString("hex"), cipher.iv.toString("hex"), sealed].map((cell) => `\`${cell}\``);
        }),
      },
    ]),
    chapter("values", "How values are written", [
      {
        kind: "list",
        items: [
          'Ids are integers. Numbers may arrive as text (`"17"`).',
          "Times are Unix seconds. Dates (`YYYY-MM-DD`) and times of day (`14:00`) are the hotel's own.",
          'Money is text with a point, in major units of the hotel currency: `"128.00"`.',
          "A yes or no is 0 or 1; `true` and `false` are accepted too.",
          "Lists of ids are arrays, or text with commas.",
          "In a request, null and empty text count as omitted, except in fields whose type allows an empty text. Unknown fields are ignored.",
          "An answer has all its fields; unknown values are null or an empty text.",
          "Lists take `page` (from 1) and `page_size` (20, at most 200) and answer `{list, total, page, page_size}`. A call without `page` returns its whole list.",
          "Another hotel's id answers exactly like one that doesn't exist.",
        ],
      },
    ]),
    chapter("repeats", "Repeats", [
      {
        kind: "text",
        text: `A call that changes something runs once: an identical call within two seconds, or while the first is still running, gets errno ${ERRORS.repeated.errno}. A \`request_id\` chosen by the client in the payload extends this to a day. A failed call may be repeated at once.`,
      },
    ]),
    chapter("errno", "errno", [
      {
        kind: "text",
        text: "`data` carries `fields` (a message for each field, with 100001 and some of 100008), `reason` (a word that is the same in every language), `room_name`, `retry_after` (seconds, with 100005) or `request_id` (with 100000, for finding the cause in the server's log). Any call may return 100000, 100001, 100003, 100006, 100007 and 9000005; other errors are listed with each call.",
      },
      { kind: "table", head: ["errno", "data.reason", "errmsg", "clients"], rows: errnoRows() },
    ]),
  ];
}

function chapter(id: string, title: string, blocks: readonly Block[]): Section {
  return { id, title, blocks, sections: [] };
}

const ciphers = Object.entries(LEGACY_CIPHERS) as [LegacyCipherName, { keyBytes: number; ivBytes: number }][];
const OPENSSL: Record<LegacyCipherName, string> = {
  "aes-256-cbc": "openssl enc -aes-256-cbc -K $KEY -iv $IV -base64 -A",
  "aes-128-cbc": "openssl enc -aes-128-cbc -K $KEY -iv $IV -base64 -A",
  "des-cbc": "openssl enc -des-ede3-cbc -K $KEY$KEY$KEY -iv $IV -base64 -A",
};

/** How clients of the old console handle an errno; for all others they show the message. */
const CLIENTS_DO: Readonly<Record<number, string>> = {
  0: "use `data`",
  100003: "ask to log in again",
  100009: "ask, and repeat with `confirm: 1`",
  9000003: "ignore it",
  9000005: "forget who is logged in",
  9000020: "ignore it",
};

function errnoRows(): string[][] {
  const errors = (Object.keys(ERRORS) as ErrorCode[]).map(describeError);
  const rows = [{ errno: 0, reason: null, text: "" }, ...errors].sort((a, b) => a.errno - b.errno);
  return rows.map(({ errno, reason, text }) => [
    String(errno),
    reason === null ? "" : `\`${reason}\``,
    text,
    CLIENTS_DO[errno] ?? "show it",
  ]);
}

/** Returns the page's headings and labels in the reader's language. */
export function labelsOf(translate: Translate) {
  return {
    title: translate("legacyDocs.title"),
    intro: translate("legacyDocs.intro"),
    contents: translate("legacyDocs.contents"),
    field: translate("legacyDocs.field"),
    type: translate("legacyDocs.type"),
    needed: translate("legacyDocs.needed"),
    yes: translate("legacyDocs.yes"),
    default: translate("legacyDocs.default"),
    example: translate("legacyDocs.example"),
    orNull: translate("legacyDocs.orNull"),
    request: translate("legacyDocs.request"),
    requestSealed: translate("legacyDocs.requestSealed"),
    answer: translate("legacyDocs.answer"),
    answerSealed: translate("legacyDocs.answerSealed"),
    errors: translate("legacyDocs.errors"),
    noInput: translate("legacyDocs.noInput"),
    noAnswer: translate("legacyDocs.noAnswer"),
    noToken: translate("legacyDocs.noToken"),
    changes: translate("legacyDocs.changes"),
    large: translate("legacyDocs.large"),
  };
}

export type Labels = ReturnType<typeof labelsOf>;

const GROUP_TITLES: Readonly<Record<string, string>> = {
  "": "Logging in, and files",
  room: "/manage/room/",
  priceTemplate: "/manage/priceTemplate/",
  user: "/manage/user/",
  lock: "/manage/lock/",
  passenger: "/manage/passenger/",
  order: "/manage/order/",
  cardDispenser: "/manage/cardDispenser/",
};

/** Returns the whole documentation of the compatibility layer, generated from its registry. */
export function documentation(labels: Labels): Section[] {
  const described = describeCalls();
  const sections = described.map((call) => ({ group: call.group, section: callSection(call, labels) }));
  const groups = Object.entries(GROUP_TITLES).map(([group, title]) => ({
    id: `calls-${group || "login"}`,
    title,
    blocks: [],
    sections: sections.filter((one) => one.group === group).map(({ section }) => section),
  }));
  return [...chapters(), ...groups.filter((group) => group.sections.length > 0)];
}

function callSection(call: CallDescription, labels: Labels): Section {
  const marks = [
    call.needsToken ? "" : labels.noToken,
    call.changes ? labels.changes : "",
    call.large ? labels.large : "",
  ].filter((mark) => mark !== "");
  return {
    id: call.path.slice("/manage/".length).replaceAll("/", "-"),
    title: call.path,
    blocks: [
      { kind: "text", text: call.summary },
      ...marks.map((text): Block => ({ kind: "text", text })),
      ...inputBlocks(call.input, labels),
      ...answerBlocks(call.answer, labels),
      ...errorBlocks(call, labels),
      ...exampleBlocks(call, labels),
    ],
    sections: [],
  };
}

const code = (value: unknown): string => (value === undefined ? "" : `\`${JSON.stringify(value)}\``);

function inputBlocks(fields: readonly FieldDescription[], labels: Labels): Block[] {
  if (fields.length === 0) return [{ kind: "text", text: labels.noInput }];
  const withDefaults = fields.some((field) => field.default !== undefined);
  const rows = fields.map((field) => [
    `\`${field.name}\``,
    field.type,
    field.required ? labels.yes : "",
    ...(withDefaults ? [code(field.default)] : []),
    code(field.example),
  ]);
  const defaults = withDefaults ? [labels.default] : [];
  return [{ kind: "table", head: [labels.field, labels.type, labels.needed, ...defaults, labels.example], rows }];
}

function answerBlocks(fields: readonly FieldDescription[], labels: Labels): Block[] {
  if (fields.length === 0) return [{ kind: "text", text: labels.noAnswer }];
  const rows = fields.map((field) => [
    `\`${field.name}\``,
    field.nullable ? `${field.type} ${labels.orNull}` : field.type,
    code(field.example),
  ]);
  return [{ kind: "table", head: [labels.answer, labels.type, labels.example], rows }];
}

function errorBlocks({ errors }: CallDescription, labels: Labels): Block[] {
  if (errors.length === 0) return [];
  const rows = errors.map(({ errno, reason, text }) => [String(errno), reason === null ? "" : `\`${reason}\``, text]);
  return [{ kind: "table", head: [labels.errors, "data.reason", "errmsg"], rows }];
}

function exampleBlocks({ path }: CallDescription, labels: Labels): Block[] {
  const endpoint = endpoints.find((one) => one.path === path);
  if (!endpoint) return [];
  const { request, answer } = exampleOf(endpoint);
  return [
    { kind: "label", text: labels.request },
    { kind: "json", text: request.clear },
    { kind: "label", text: labels.requestSealed },
    { kind: "json", text: JSON.stringify({ data: request.sealed, language: "en" }) },
    { kind: "label", text: labels.answer },
    { kind: "json", text: answer.clear },
    { kind: "label", text: labels.answerSealed },
    { kind: "json", text: JSON.stringify({ data: answer.sealed }) },
  ];
}
