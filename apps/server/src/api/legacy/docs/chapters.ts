import { ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { LANGUAGES } from "@innkey/shared/languages";
import { encrypt, LEGACY_CIPHERS, type LegacyCipherName } from "../ciphers.ts";
import type { Block, Section } from "./blocks.ts";
import { describeError } from "./describe.ts";
import { EXAMPLE_CIPHERS } from "./examples.ts";

/** Returns the chapters that apply to every call: envelope, ciphers, values, repeats and errors. */
export function chapters(): Section[] {
  return [
    chapter("envelope", "The envelope", [
      {
        kind: "text",
        text: "Every call is a `POST` to its path. Its body, JSON or `application/x-www-form-urlencoded`, has two fields:",
      },
      {
        kind: "list",
        items: [
          '`data`: base64 of the sealed UTF-8 JSON `{…the fields of the call, "action":"manage"}`;',
          "`language`: the language that `errmsg` is to be in. The header `language` may say it instead; if both do, the body's counts; what is unknown is English.",
        ],
      },
      {
        kind: "text",
        text: 'The header `X-Token` carries the token that `/manage/login` answered. Every outcome, also a refusal, is HTTP 200 with a body of `{"data":"…"}`: base64 of the sealed JSON `{errno, errmsg, data}`. `errno` 0 is success. An envelope that can\'t be opened is HTTP 400 with `{"error":"The request can\'t be read."}`, whatever is wrong with it; a body that is too large is HTTP 413. A call that anybody may make takes 16 KiB. Every other call takes 1 MiB, and one that brings pictures 8 MiB, while `X-Token` carries the token of a live session, and 16 KiB otherwise.',
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
        text: "CBC with PKCS#7 padding; key and IV are fixed. `node apps/server/dist/cli/show-legacy-key.js` on the server prints those of the house. An answer is sealed with what the request was sealed with.",
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
        text: "`des-cbc` is weak and only there for clients that can do nothing else: put the console behind HTTPS. OpenSSL 3 has no single DES any more; triple DES with the same key three times is the same, byte for byte.",
      },
      {
        kind: "text",
        text: 'The examples of this page are sealed with keys that everybody may read, so no house has them. This is `{"action":"manage"}`:',
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
          "A yes or no is 0 or 1; `true` and `false` are taken as well.",
          "Lists of ids are arrays, or text with commas.",
          "Null in a request says nothing, and so does an empty text, except in fields whose type says that they may be empty. Unknown fields are ignored.",
          "An answer has all its fields: null or an empty text where nothing is known.",
          "Lists take `page` (from 1) and `page_size` (20, at most 200) and answer `{list, total, page, page_size}`. Where a call takes no page its list is told whole.",
          "Another hotel's id answers exactly like one that doesn't exist.",
        ],
      },
    ]),
    chapter("repeats", "Repeats", [
      {
        kind: "text",
        text: `A call that changes something is done once: an identical one within two seconds, or while the first is at work, is told errno ${ERRORS.repeated.errno}. A \`request_id\` of the client's own in the payload makes it once for a day. What failed may be tried again at once.`,
      },
    ]),
    chapter("errno", "errno", [
      {
        kind: "text",
        text: "`data` carries `fields` (a message for each field, with 100001 and some of 100008), `reason` (a word that stays the same in every language), `room_name`, `retry_after` (seconds, with 100005) or `request_id` (with 100000, to be found in the server's log). Any call may be told 100000, 100001, 100003, 100006, 100007 and 9000005; what else it may be told stands beside it.",
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
