import type { MessageRow } from "@innkey/shared/schemas/messages";
import type { Translate } from "../../../kernel/translate.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Returns the text of an alert: times in the time zone of `times`, lock errors as sentences. */
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
