import type { Server } from "node:http";
import { runCommand } from "./frame-commands.ts";
import { bodyOf, jsonServer, pause, sendJson } from "./service.ts";
import type { VirtualReader } from "./virtual-reader.ts";

/**
 * The HID bridge on port 8765, with frames of our own design behind it (source: device notes, decisions and section B).
 */
const VENDORS: readonly unknown[] = [1047, 1046];
const PRODUCT = 32800;

const check = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** Answers one report with one report. Returns undefined for reports that a device would ignore. */
export function answerToReport(reader: VirtualReader, report: Buffer): Buffer | undefined {
  const length = report[0] ?? 0;
  const frame = [...report.subarray(0, length)];
  if (length < 4 || frame.length < length || check(frame) !== 0) return undefined;
  const hex = Buffer.from(frame).toString("hex").toUpperCase();
  const code = hex.slice(2, 6);
  const { retval, data } = runCommand(reader, code, hex.slice(6, -2));
  reader.note(`8765 ${code} → ${retval}`);
  const body = [...Buffer.from(code, "hex"), retval, ...Buffer.from(data, "hex")];
  const answer = [body.length + 2, ...body];
  return Buffer.from([...answer, check(answer)]);
}

function padded(report: Buffer, length: unknown): string {
  const size = typeof length === "number" ? Math.min(Math.max(length, report.length), 1024) : report.length;
  return Buffer.concat([report, Buffer.alloc(size - report.length)])
    .toString("hex")
    .toUpperCase();
}

export function hidBridgeServer(reader: VirtualReader): Server {
  let opened = false;
  return jsonServer(async (request, response) => {
    const { vid, pid, data, readlength } = Object(await bodyOf(request)) as Record<string, unknown>;
    await pause(reader.faults.slow);
    if (request.url === "/open") {
      opened = !reader.faults.noDevice && VENDORS.includes(vid) && pid === PRODUCT;
      return sendJson(response, opened ? { ok: true } : { ok: false, message: "no such device" });
    }
    if (request.url !== "/write") return sendJson(response, { ok: false, message: "no such call" }, 404);
    if (!opened || reader.faults.noDevice) return sendJson(response, { ok: false, message: "device not open" });
    if (reader.faults.garbage) return sendJson(response, { ok: true, data: "05FFFFFFFF" });
    const answer = answerToReport(reader, Buffer.from(String(data), "hex"));
    sendJson(response, answer ? { ok: true, data: padded(answer, readlength) } : { ok: false, message: "no answer" });
  });
}
