import { afterEach, expect, it, vi } from "vitest";

const messages: string[] = [];
vi.mock("../toast.ts", () => ({
  toast: { success: (text: string) => messages.push(text), error: (text: string) => messages.push(text) },
}));
vi.mock("../i18n.ts", () => ({ t: (key: string) => key }));

afterEach(() => vi.unstubAllGlobals());

it("reports whether it copied the text", async () => {
  const { copyText } = await import("./copy-text.ts");
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  await copyText("4A8C21F3");
  expect(writeText).toHaveBeenCalledWith("4A8C21F3");
  vi.stubGlobal("navigator", {});
  await copyText("4A8C21F3");
  expect(messages).toEqual(["reader.copied", "reader.copyFailed"]);
});
