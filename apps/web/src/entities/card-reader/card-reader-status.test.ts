import { expect, it, vi } from "vitest";
import { ReaderError, refused, type Step } from "@/readers/reader-error.ts";
import { failureTexts } from "./card-reader-status.tsx";

vi.mock("@/lib/i18n.ts", () => ({
  t: (key: string, params?: object) => [key, ...Object.values(params ?? {})].join(" "),
}));

it("a refusal says what failed, what to check and the reader's code", () => {
  const textsOf = (step: Step, retval: number): (string | undefined)[] => {
    const { title, hint, detail } = failureTexts(refused(step, retval));
    return [title, hint, detail].map((text) => text?.replaceAll("reader.", ""));
  };
  expect(textsOf("open", 0xc5).slice(0, 2)).toEqual(["error.openFailed", "hint.connection"]);
  expect(textsOf("radio", 0xc2).slice(0, 2)).toEqual(["error.notConnected", "hint.connection"]);
  expect(textsOf("request", 0x14)).toEqual(["error.noCard", "hint.card", "code 0x14 retval.request"]);
  expect(textsOf("anticollision", 0x0a).slice(0, 2)).toEqual(["error.uidFailed", "hint.card"]);
  expect(textsOf("read", 0x17)).toEqual(["error.readFailed", "hint.card", "code 0x17 retval.read"]);
  expect(textsOf("write", 0x18).slice(0, 1)).toEqual(["error.writeFailed"]);
  expect(textsOf("buzzer", 0x0a).slice(0, 1)).toEqual(["error.operationFailed"]);
});

it("a service's own message is shown, and a service that doesn't answer has to be started", () => {
  expect(failureTexts(new ReaderError("callFailed", "open", { message: "busy" })).detail).toBe("reader.says busy");
  expect(failureTexts(new ReaderError("noService", "open")).hint).toBe("reader.hint.startAndAllow");
});
