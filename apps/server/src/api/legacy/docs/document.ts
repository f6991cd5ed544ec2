import { endpoints } from "../registry.ts";
import type { Block, Section } from "./blocks.ts";
import { chapters } from "./chapters.ts";
import { type CallDescription, describeCalls, type FieldDescription } from "./describe.ts";
import { exampleOf } from "./examples.ts";
import type { Labels } from "./labels.ts";

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
