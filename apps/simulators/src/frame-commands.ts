import { done, type Outcome, RETVAL, refused } from "./retval.ts";
import type { VirtualReader } from "./virtual-reader.ts";

/**
 * Commands by their four-digit code, as used by the services on ports 39002 and 8765 (source: device notes, section
 * A2).
 */
const byte = (hex: string, at: number): number => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);

const COMMANDS: Readonly<Record<string, (reader: VirtualReader, argument: string) => Outcome>> = {
  "0007": (reader, argument) => (byte(argument, 0) === 0 ? reader.openDevice() : refused(RETVAL.noDevice)),
  "0009": (reader) => reader.closeDevice(),
  "0105": (reader) => reader.readSerial(),
  "0106": (reader) => reader.beep(),
  "0107": (reader, argument) => reader.setLight(byte(argument, 0)),
  "0108": (reader, argument) => reader.setAntenna(byte(argument, 0) === 1),
  "0109": (reader, argument) => (argument === "41" ? reader.setRadio() : refused(RETVAL.parameter)),
  "1001": (reader, argument) => reader.request(byte(argument, 0)),
  "1002": (reader) => reader.anticollision(),
  "1003": (reader, argument) => reader.select(argument),
  "100A": (reader, argument) =>
    reader.authenticate(byte(argument, 0) === 0x61 ? "B" : "A", byte(argument, 1), argument.slice(4)),
  "100B": (reader, argument) => reader.read(byte(argument, 0)),
  "100C": (reader, argument) => reader.write(byte(argument, 0), argument.slice(2)),
  "100D": (reader, argument) => reader.write(byte(argument, 0), valueBlock(argument.slice(2), byte(argument, 0))),
  "100E": (reader, argument) => firstFour(reader.read(byte(argument, 0))),
};

/**
 * Encodes a value block: value, inverse, value, then the address, plain and inverted in turn (source: NXP MF1S50yyX,
 * value blocks).
 */
function valueBlock(value: string, block: number): string {
  const inverse = (hex: string): string =>
    (~Number.parseInt(hex, 16) >>> 0).toString(16).padStart(8, "0").slice(-hex.length).toUpperCase();
  const address = block.toString(16).padStart(2, "0").toUpperCase();
  return `${value}${inverse(value)}${value}${address}${inverse(address)}${address}${inverse(address)}`;
}

function firstFour(outcome: Outcome): Outcome {
  return outcome.retval === RETVAL.done ? done(outcome.data.slice(0, 8)) : outcome;
}

export function runCommand(reader: VirtualReader, code: string, argument: string): Outcome {
  const command = COMMANDS[code];
  return command ? command(reader, argument) : refused(0x0b);
}
