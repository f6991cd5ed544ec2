import { expect, it, vi } from "vitest";

vi.mock("./language-choice.ts", () => ({
  chooseLanguage: () => ({ code: "en", tag: "en", dir: "ltr" }),
  LANGUAGE_KEY: "language",
}));
vi.stubGlobal("document", { documentElement: {} });
const { appTexts, hasAppTexts, startTexts } = await import("./i18n.ts");

it("knows that all texts are there, also if those of the first page arrive last", async () => {
  await appTexts();
  await startTexts();
  expect(hasAppTexts()).toBe(true);
});
