import { type Simulators, startSimulators } from "@innkey/simulators/simulators";
import { NO_FAULTS } from "@innkey/simulators/virtual-reader";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket as NodeSocket } from "ws";
import { FINGERPRINT_STEPS, type FingerprintStep, fingerprintTest, runTrials, type TimedStep } from "./device-tests.ts";

let desk: Simulators;
beforeAll(async () => {
  desk = await startSimulators({ http: 0, hid: 0, socket: 0, fingerprint: 0, control: 0 });
  desk.sensor.extraction = 5;
});
afterAll(() => desk.stop());
afterEach(async () => {
  desk.reader.reset();
  desk.sensor.reset();
  await desk.apply(NO_FAULTS);
});

const makeSocket = (url: string): WebSocket => new NodeSocket(url) as unknown as WebSocket;

async function walk(signal = new AbortController().signal): Promise<TimedStep<FingerprintStep>[]> {
  const limits = { call: 600, finger: 600, pause: 10 };
  const test = fingerprintTest({ url: desk.urls.fingerprint, makeSocket, limits });
  const steps = await runTrials(test.trials, { signal, onStep: () => undefined });
  await test.end();
  return steps;
}
const at = (steps: TimedStep<FingerprintStep>[], name: FingerprintStep) => steps.find((step) => step.name === name);

describe("the fingerprint test", () => {
  it("runs every step of the sensor, measures its time and stores nothing", async () => {
    desk.sensor.finger = true;
    const steps = await walk();
    expect(steps.map(({ name, result }) => [name, result])).toEqual(FINGERPRINT_STEPS.map((name) => [name, "done"]));
    expect(steps.every(({ milliseconds = -1 }) => milliseconds >= 0)).toBe(true);
    expect(at(steps, "pluginVersion")?.value).toContain("Plug-in 2.1.0");
    // The page receives nothing of what the sensor reported about a finger.
    expect(JSON.stringify(steps).length).toBeLessThan(1200);
  });

  it("waits for a finger", async () => {
    const { reader, sensor } = desk;
    const note = reader.note.bind(reader);
    // The finger is presented after the sensor has reported three times that there is none.
    let calls = 0;
    reader.note = (what) => {
      if (what.includes("FM_DetectFinger") && ++calls === 3) sensor.finger = true;
      note(what);
    };
    const steps = await walk();
    expect(at(steps, "match")?.result).toBe("done");
    expect(calls).toBe(4);
    reader.note = note;
  });

  it("skips the later steps without a finger", async () => {
    const steps = await walk();
    expect(at(steps, "detect")).toMatchObject({ result: "failed", failure: { kind: "timedOut" } });
    expect(at(steps, "template")).toEqual({ name: "template", result: "skipped" });
  });

  it.each([
    [{ down: ["fingerprint" as const] }, "noService"],
    [{ noDevice: true }, "noDevice"],
    [{ slow: 1200 }, "timedOut"],
    [{ garbage: true }, "badAnswer"],
  ])("%o", async (fault, kind) => {
    await desk.apply({ ...NO_FAULTS, ...fault });
    const steps = await walk();
    expect(steps[0]).toMatchObject({ name: "start", result: "failed", failure: { kind } });
    expect(steps.slice(1).every(({ result }) => result === "skipped")).toBe(true);
  });

  it("can be cancelled", async () => {
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 300);
    const steps = await walk(giveUp.signal);
    expect(at(steps, "detect")).toMatchObject({ result: "failed", failure: { kind: "cancelled" } });
  });
});
