import { afterEach, beforeEach, expect, it, vi } from "vitest";

const messages: string[] = [];
let arrive: () => void = () => undefined;
const box = new Promise<object>((resolve) => {
  arrive = () => resolve({ toast: { error: (text: string) => messages.push(text) } });
});
vi.mock("./loading/missing-part.ts", () => ({ loadWhenReachable: () => box }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a short message that couldn't be shown in time is not shown later", async () => {
  const { markToasterShown, toast } = await import("./toast.ts");
  toast.error("no connection", { duration: 1000 });
  toast.error("not saved");
  vi.setSystemTime(Date.now() + 60_000);
  toast.error("another", { duration: 1000 });
  markToasterShown();
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect(messages).toEqual(["not saved", "another"]);
});
