import { expect, it, vi } from "vitest";

vi.mock("./i18n.ts", () => ({
  language: { tag: "en" },
  textOf: (key: string, params: object) => ({ key, params }),
}));
const { failureText } = await import("./rest.ts");

it("says the dates of a refusal as the console writes them", () => {
  const params = { date: "2026-11-28", time: "05:00" };
  expect(failureText({ code: "arrival_too_early", params })).toEqual({
    key: "errors.arrival_too_early",
    params: { date: "Nov 28, 2026", time: "05:00" },
  });
});
