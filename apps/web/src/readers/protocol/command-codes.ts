import type { Command } from "../lines/reader-line.ts";
import type { Step } from "../reader-error.ts";
import { byteHex } from "./hex.ts";

/** Commands as four hex digits with arguments in hex; types 2 and 3 share them (source: device notes, section A2). */
type Encoded = { code: string; argument: string };

const CODES: Partial<Record<Step, string>> = {
  open: "0007",
  close: "0009",
  serial: "0105",
  buzzer: "0106",
  light: "0107",
  antenna: "0108",
  radio: "0109",
  request: "1001",
  anticollision: "1002",
  select: "1003",
  authenticate: "100A",
  read: "100B",
  write: "100C",
};

export function hasCode(step: Step): boolean {
  return step in CODES;
}

export function encoded(command: Command, device: number): Encoded {
  return { code: CODES[command.step] ?? "", argument: argumentOf(command, device) };
}

function argumentOf(command: Command, device: number): string {
  switch (command.step) {
    case "open":
      return byteHex(device);
    case "buzzer":
      return "10";
    case "light":
      return byteHex(command.color);
    case "antenna":
      return byteHex(command.on ? 1 : 0);
    case "radio":
      return "41";
    case "request":
      return "52";
    case "select":
      return command.uid;
    case "authenticate":
      return `${command.keyType === "A" ? "60" : "61"}${byteHex(command.block)}${command.key}`;
    case "read":
      return byteHex(command.block);
    case "write":
      return `${byteHex(command.block)}${command.data}`;
    default:
      return "";
  }
}
