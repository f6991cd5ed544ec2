import { expect, it } from "vitest";
import { ERRORS } from "./errors.ts";

it("have the specification's numbers where clients behave in their own way", () => {
  const codesOf = (number: number) =>
    Object.entries(ERRORS).flatMap(([code, { errno }]) => (errno === number ? [code] : []));
  expect(codesOf(100003)).toEqual(["session_expired"]);
  expect(codesOf(9000005)).toEqual(["session_missing", "session_revoked", "key_invalid"]);
  expect(codesOf(9000020)).toEqual(["feature_off"]);
  expect(codesOf(9000003)).toEqual(["repeated"]);
  expect(codesOf(0)).toEqual([]);
});
