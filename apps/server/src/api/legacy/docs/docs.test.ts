import { describe, expect, it } from "vitest";
import { decrypt } from "../envelope.ts";
import { endpoints } from "../registry.ts";
import { describeCalls, EXAMPLE_CIPHERS, exampleFields, exampleOf } from "./describe.ts";
import { markdown } from "./markdown.ts";

const page = markdown();
const calls = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);

/** Returns a chapter of the written page, up to the next heading. */
function chapterOf(title: string): string {
  const [, after = ""] = page.split(`# ${title}\n`);
  return after.split(/\n#+ /)[0] ?? "";
}

it("the written page has a chapter for every call", () => {
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.map(([path]) => path).filter((path) => chapterOf(path) === "")).toEqual([]);
});

describe("the written page", () => {
  it.each(calls)("%s: every encrypted example decrypts to the text above it", (path) => {
    const blocks = [...chapterOf(path).matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json = ""]) => json);
    expect(blocks).toHaveLength(4);
    for (const [clear = "", sealed = ""] of [blocks.slice(0, 2), blocks.slice(2)]) {
      const { data } = JSON.parse(sealed) as { data: string };
      const opened = decrypt(EXAMPLE_CIPHERS["aes-256-cbc"], Buffer.from(data, "base64"));
      expect(opened).toBe(JSON.stringify(JSON.parse(clear)));
    }
  });

  it("shows every cipher with a key and a matching encrypted text", () => {
    const rows = chapterOf("The ciphers")
      .split("\n")
      .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, cell = ""]) => cell))
      .filter((cells) => cells.length === 4);
    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(EXAMPLE_CIPHERS).sort());
    for (const [name, key = "", iv = "", sealed = ""] of rows) {
      const cipher = Object.values(EXAMPLE_CIPHERS).find((one) => one.name === name);
      if (!cipher) throw new Error(`no cipher ${name}`);
      const parsedCipher = { ...cipher, key: Buffer.from(key, "hex"), iv: Buffer.from(iv, "hex") };
      expect(decrypt(parsedCipher, Buffer.from(sealed, "base64"))).toBe('{"action":"manage"}');
    }
  });

  it("has no empty placeholder and no broken link", () => {
    expect(page).not.toMatch(/\{\{|undefined|legacyDocs\.|errors\./);
    const anchors = new Set([...page.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(endpoints.length);
    expect(links.filter((id) => !anchors.has(id))).toEqual([]);
  });
});

describe("examples", () => {
  it.each(calls)("%s accepts its example request, and its output allows its example response", (_path, endpoint) => {
    const { request, answer } = exampleOf(endpoint);
    const { action, ...input } = JSON.parse(request.clear) as Record<string, unknown>;
    expect(action).toBe("manage");
    expect(endpoint.schema.safeParse(input).error).toBeUndefined();
    const { errno, data } = JSON.parse(answer.clear) as { errno: number; data: unknown };
    expect(errno).toBe(0);
    expect(endpoint.output.safeParse(data).error).toBeUndefined();
  });

  it.each(exampleFields)("%s has the fields that its example shows", (path, fields) => {
    const endpoint = endpoints.find((one) => one.path === `/manage/${path}`);
    expect(Object.keys(endpoint?.schema.shape ?? {})).toEqual(expect.arrayContaining([...fields]));
  });
});

describe("descriptions", () => {
  const described = describeCalls();
  const callOf = (path: string) => described.find((call) => call.path === `/manage/${path}`);

  it("list a call's requirements, input and output", () => {
    expect(callOf("login")).toMatchObject({ group: "", needsToken: false, changes: false });
    expect(callOf("room/addStaff")).toMatchObject({ group: "room", needsToken: true, changes: true });
    const field = (path: string, name: string) => callOf(path)?.input.find((one) => one.name === name);
    expect(field("room/addStaff", "name")).toMatchObject({ required: true, type: "text", default: undefined });
    expect(field("room/addStaff", "role")).toMatchObject({ required: false, type: "administrator | staff" });
    expect(field("room/staffList", "page_size")).toMatchObject({ required: false, default: 20, example: 20 });
    expect(field("priceTemplate/add", "special[].price")).toMatchObject({ required: true, type: "money" });
    const answer = callOf("room/staffList")?.answer ?? [];
    expect(answer.find(({ name }) => name === "list")?.type).toBe("array of objects");
    expect(answer.find(({ name }) => name === "list[].birth")).toMatchObject({ nullable: true, type: "YYYY-MM-DD" });
  });

  it("list a call's errors beyond those of every call", () => {
    expect(callOf("user/apikey")?.errors).toEqual([
      { code: "feature_off", errno: 9_000_020, reason: null, text: "This feature is turned off." },
    ]);
    expect(callOf("room/deleteStaff")?.errors).toContainEqual(
      expect.objectContaining({ errno: 100_008, reason: "last_owner" }),
    );
  });
});
