import { afterEach, beforeEach, expect, it, vi } from "vitest";

const toasts: [string, number | undefined][] = [];
const confirm = vi.fn(async () => false);
let showToaster: () => void;
let toasterShown: Promise<void>;
vi.mock("../toast.ts", () => ({
  untilToasterShown: () => toasterShown,
  toast: { error: (text: string, options?: { duration?: number }) => toasts.push([text, options?.duration]) },
}));
vi.mock("../confirm.ts", () => ({ confirm }));
vi.mock("../i18n.ts", () => ({
  language: { code: "en", tag: "en-GB" },
  t: (key: string) => key,
  textOf: (key: string) => key,
}));

const assign = vi.fn();
let handleFailedCall: typeof import("./failed-call.ts").handleFailedCall;

beforeEach(async () => {
  toasts.length = 0;
  toasterShown = new Promise((resolve) => {
    showToaster = resolve;
  });
  vi.clearAllMocks();
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("location", { pathname: "/orders", search: "?page=2", assign });
  ({ handleFailedCall } = await import("./failed-call.ts"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a disabled feature and a repeated request show no message", () => {
  for (const code of ["feature_off", "repeated"] as const) {
    for (const from of ["query", "mutation", "form"] as const) handleFailedCall({ code }, from);
  }
  expect(toasts).toEqual([]);
  expect(confirm).not.toHaveBeenCalled();
});

it("an operator whose session has expired is asked once whether to log in again", () => {
  for (const from of ["query", "mutation"] as const) handleFailedCall({ code: "session_expired" }, from);
  expect(confirm).toHaveBeenCalledOnce();
  expect(toasts).toEqual([]);
});

it("an operator whose session was ended sees a message for a second before the login page", async () => {
  handleFailedCall({ code: "session_revoked" }, "query");
  handleFailedCall({ code: "session_revoked" }, "query");
  expect(toasts.map(([text]) => text)).toEqual(["errors.session_revoked"]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(assign).not.toHaveBeenCalled();
  showToaster();
  await vi.advanceTimersByTimeAsync(999);
  expect(assign).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(assign.mock.calls).toEqual([["/login?redirect=%2Forders%3Fpage%3D2"]]);
});

it("an ended session leads to the login page even if the announcement can't be loaded", async () => {
  handleFailedCall({ code: "session_revoked" }, "query");
  await vi.advanceTimersByTimeAsync(15_000);
  expect(assign).toHaveBeenCalledOnce();
});

it("an operator who has to do something first is sent to its page, and not redirected there", () => {
  for (const [code, page] of [
    ["password_due", "/new-password"],
    ["two_step_due", "/two-step"],
  ] as const) {
    assign.mockClear();
    vi.stubGlobal("location", { pathname: "/orders", search: "?page=2", assign });
    handleFailedCall({ code }, "query");
    expect(assign.mock.calls).toEqual([[`${page}?redirect=%2Forders%3Fpage%3D2`]]);
    vi.stubGlobal("location", { pathname: page, search: "", assign });
    handleFailedCall({ code }, "mutation");
    expect(assign).toHaveBeenCalledOnce();
  }
  expect(toasts).toEqual([]);
});

it("without a connection the message is shown for a second", () => {
  handleFailedCall({ code: "network" }, "query");
  expect(toasts).toEqual([["errors.network", 1000]]);
});

it("any other refused mutation shows a message in the operator's language; forms and lists show theirs in place", () => {
  for (const from of ["query", "form", "mutation"] as const) handleFailedCall({ code: "room_taken" }, from);
  expect(toasts.map(([text]) => text)).toEqual(["errors.room_taken"]);
});
