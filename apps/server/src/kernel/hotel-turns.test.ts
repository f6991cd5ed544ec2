import { expect, it } from "vitest";
import { HotelTurns } from "./hotel-turns.ts";

/** A queue whose jobs add their names to `done`, in the order in which they are run. */
function createTurns() {
  const turns = new HotelTurns();
  const done: string[] = [];
  let running = 0;
  const run = (hotelId: number, person: string, name: string) =>
    turns.run(hotelId, person, async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.push(name);
    });
  return { run, done };
}

it("takes turns between hotels, and within a hotel between people, one job at a time", async () => {
  const { run, done } = createTurns();
  const all = [
    ...["a1", "a2", "a3", "a4"].map((name) => run(1, "a", name)),
    ...["b1", "b2"].map((name) => run(1, "b", name)),
    ...["c1", "c2"].map((name) => run(2, "c", name)),
  ];
  await Promise.all(all);
  expect(done).toEqual(["a1", "a2", "c1", "b1", "c2", "a3", "b2", "a4"]);
});

it("lets eight jobs of a person wait, refuses further ones, and continues after a failure", async () => {
  const { run, done } = createTurns();
  const jobs = Array.from({ length: 9 }, (_, at) => run(1, "a", String(at)));
  await expect(run(1, "a", "more")).rejects.toMatchObject({ code: "too_many_attempts" });
  await run(2, "b", "other hotel");
  await Promise.all(jobs);
  expect(done).toHaveLength(10);
  const failing = new HotelTurns();
  await expect(failing.run(1, "a", () => Promise.reject(new Error("no picture")))).rejects.toThrow("no picture");
  expect(await failing.run(1, "a", async () => "next")).toBe("next");
});
