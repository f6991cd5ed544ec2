import type { MessageRow } from "@innkey/shared/schemas/messages";
import type { Translate } from "../../core/translate.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** What happened, as the desk reads it: instants on the clock of `times`, a lock's error as a sentence. */
export function messageText(
  { kind, params, roomName }: Pick<MessageRow, "kind" | "params" | "roomName">,
  t: Translate,
  times: { text(instant: string): string },
): string {
  const spoken = Object.entries({ error: "", ...params }).map(([name, value]) => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, times.text(value)];
    if (name === "error" && value !== "") return [name, t(`locks.error.${value}`)];
    if (name === "type") return [name, t(`locks.kind.${value}`)];
    return [name, value];
  });
  const values = { ...Object.fromEntries(spoken), count: Number(params.count ?? 1), roomName: roomName ?? "" };
  return t(`locks.message.${kind === "unmanaged_code" && params.key ? "unmanaged_named" : kind}`, values).trim();
}
