import { expect, it } from "vitest";
import { HotelTurns } from "./hotel-slots.ts";

/** What was done, in its order; each piece of work takes a turn of the event loop. */
function bench() {
  const keyedQueue = new HotelTurns();
  const done: string[] = [];
  let atOnce = 0;
  const put = (hotelId: number, person: string, name: string) =>
    keyedQueue.run(hotelId, person, async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      done.push(name);
    });
  return { put, done };
}

it("takes turns between hotels, and within a hotel between people, one job at a time", async () => {
  const { put, done } = bench();
  const all = [
    ...["a1", "a2", "a3", "a4"].map((name) => put(1, "a", name)),
    ...["b1", "b2"].map((name) => put(1, "b", name)),
    ...["c1", "c2"].map((name) => put(2, "c", name)),
  ];
  await Promise.all(all);
  expect(done).toEqual(["a1", "a2", "c1", "b1", "c2", "a3", "b2", "a4"]);
});

it("lets eight jobs of a person wait, refuses further ones, and continues after a failure", async () => {
  const { put, done } = bench();
  const keyedQueue = Array.from({ length: 9 }, (_, at) => put(1, "a", String(at)));
  await expect(put(1, "a", "more")).rejects.toMatchObject({ code: "too_many_attempts" });
  await put(2, "b", "other hotel");
  await Promise.all(keyedQueue);
  expect(done).toHaveLength(10);
  const failing = new HotelTurns();
  await expect(failing.run(1, "a", () => Promise.reject(new Error("no picture")))).rejects.toThrow("no picture");
  expect(await failing.run(1, "a", async () => "next")).toBe("next");
});
