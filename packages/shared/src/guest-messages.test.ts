import { expect, it } from "vitest";
import { bodyVariables, fillIn, unknownVariables, variablesIn } from "./guest-messages.ts";

it("puts values into a text, and never reads a value as a text with variables", () => {
  expect(fillIn("Dear {{guestName}}, {{ hotelName }}", { guestName: "{{hotelName}}", hotelName: "Harbour" })).toBe(
    "Dear {{hotelName}}, Harbour",
  );
});

it("leaves out a line whose variables are all empty, and the gap that it leaves", () => {
  const text = "Welcome\n\nWi-Fi: {{wifiName}}\nCode: {{doorCode}}\n\nSee you\nRoom {{room}}{{balance}}";
  expect(fillIn(text, { wifiName: "", doorCode: "", room: "12", balance: "" })).toBe("Welcome\n\nSee you\nRoom 12");
});

it("finds names that are no variable of the event, and loose braces", () => {
  expect(variablesIn("{{a}} {{ a }} {{b}}")).toEqual(["a", "b"]);
  expect(unknownVariables("checked_in", "{{doorCode}} {{room}}")).toEqual([]);
  expect(unknownVariables("reserved", "{{doorCode}} {{room}}")).toEqual(["doorCode"]);
  expect(unknownVariables("reserved", "{{guest}} {{}}")).toEqual(["guest", ""]);
  expect(unknownVariables("reserved", "{{room}} {{")).toEqual(["{{"]);
  expect(unknownVariables("reserved", "a { b } c")).toEqual([]);
});

it("finds what must not be in a subject", () => {
  expect(bodyVariables("{{room}}: {{ doorCode }} {{guestLink}} {{wifiPassword}} {{wifiName}}")).toEqual([
    "doorCode",
    "guestLink",
    "wifiPassword",
  ]);
});
