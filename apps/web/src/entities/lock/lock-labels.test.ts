import { expect, it, vi } from "vitest";

vi.mock("@/lib/i18n.ts", () => ({ t: (key: string) => key, textOf: (key: string) => key, language: { tag: "ar" } }));
const { displayParams } = await import("./lock-labels.ts");

it("names in an answer or an alert keep their own text direction, and other values stay as they are", () => {
  const params = displayParams(
    { roomName: "1203 Seeblick", guestName: "", error: "full", type: "face", power: 4 },
    "UTC",
  );
  expect(params).toEqual({
    roomName: "\u20681203 Seeblick\u2069",
    guestName: "",
    error: "locks.error.full",
    type: "locks.kind.face",
    power: 4,
  });
});
