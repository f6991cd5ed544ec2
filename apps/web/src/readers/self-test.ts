import type { CardReader, ReaderSelf } from "./card-reader.ts";
import type { Trial } from "./timed-steps.ts";

export const SELF_TEST_STEPS = ["open", "serial", "model", "light", "buzzer", "antenna", "cardInField"] as const;
export type SelfTestStep = (typeof SELF_TEST_STEPS)[number];

/** What a reader can show of itself, with a card lying on it at the end. */
export function selfTest(reader: CardReader & ReaderSelf): Trial<SelfTestStep>[] {
  const nothing = async (done: Promise<void>): Promise<undefined> => {
    await done;
    return undefined;
  };
  return [
    { name: "open", essential: true, run: (signal) => nothing(reader.open(signal)) },
    { name: "serial", run: (signal) => reader.serial(signal) },
    { name: "model", run: (signal) => reader.model(signal) },
    { name: "light", run: (signal) => nothing(reader.light(signal)) },
    { name: "buzzer", run: (signal) => nothing(reader.beep(signal)) },
    { name: "antenna", run: (signal) => nothing(reader.antenna(signal)) },
    { name: "cardInField", run: async (signal) => (await reader.readUid(signal)).uid },
  ];
}
