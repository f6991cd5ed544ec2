import { DomainError } from "@innkey/shared/errors";
import { timeTag } from "@innkey/shared/hour-format";
import { languageOf } from "@innkey/shared/languages";
import type * as schema from "@innkey/shared/schemas/access/passcodes";
import type { z } from "zod";
import type { HotelContext, Scope } from "../../../kernel/scope.ts";
import { maskedContact } from "../../identity/public.ts";
import type { OutgoingMessages } from "../../messaging/public.ts";
import { openCode } from "../credentials/credential-content.ts";
import { requirePasscode } from "./passcodes.queries.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** Number of times that one code may be sent to somebody. */
export const MAX_HAND_OVERS = 5;

/** Returns by which ways a code can be handed over. @throws no_permission */
export function handOverWays(scope: Scope, messages: OutgoingMessages): Input<typeof schema.handOverWays> {
  scope.require("passcodes.issue");
  return { sms: messages.sends("sms"), mail: messages.sends("mail") };
}

const CODE = `
SELECT p.code_box AS "codeBox", p.type::text AS type, iso(p.valid_to) AS "validTo",
  p.deleted_at IS NULL AND (p.valid_to IS NULL OR p.valid_to > $3::timestamptz) AS "isLive",
  coalesce(bool_and(p.type = 'one_time' OR c.state IN ('confirmed', 'used')), false) AS "isReady",
  coalesce(string_agg(DISTINCT r.name, ', '), '') AS doors,
  (SELECT count(*) FROM audit_entry a WHERE a.hotel_id = $1 AND a.action = 'passcode.hand_over'
    AND a.entity = 'passcode' AND a.entity_id = p.id::text)::int AS sent
FROM passcode p
LEFT JOIN credential c ON c.hotel_id = $1 AND c.passcode_id = p.id AND c.state NOT IN ('revoking', 'revoked')
LEFT JOIN room r ON r.id = c.room_id
WHERE p.hotel_id = $1 AND p.id = $2::int
GROUP BY p.id`;

interface CodeToSend {
  codeBox: Buffer;
  type: string;
  validTo: string | null;
  isLive: boolean;
  isReady: boolean;
  doors: string;
  sent: number;
}

/**
 * Sends a live code to a phone or mail address, in the hotel's language, once every lock has confirmed it. @throws
 * no_permission, not_found; state_conflict for a code that has ended; code_not_ready; message_not_possible without a
 * service for that kind of address; sent_too_often
 */
export async function handOver(
  scope: Scope,
  messages: OutgoingMessages,
  { passcodeId, to }: Input<typeof schema.handOverInput>,
): Promise<Input<typeof schema.handedOver>> {
  scope.require("passcodes.issue");
  const channel = to.includes("@") ? "mail" : "sms";
  if (!messages.sends(channel)) throw new DomainError("message_not_possible");
  return scope.write(async (tx) => {
    await requirePasscode(scope, tx.sql, passcodeId);
    const [row] = await tx.sql.rows<CodeToSend>(CODE, passcodeId, scope.now().toISOString());
    if (!row?.isLive) throw new DomainError("state_conflict");
    if (!row.isReady) throw new DomainError("code_not_ready");
    if (row.sent >= MAX_HAND_OVERS) throw new DomainError("sent_too_often");
    const language = languageOf(scope.hotel.language).code;
    const messageId = await messages.queue(tx.db, {
      hotelId: scope.hotelId,
      channel,
      recipient: to,
      template: "doorCode",
      passcodeId,
      params: {
        hotel: scope.hotel.name,
        doors: row.doors,
        code: openCode(scope, { id: passcodeId, codeBox: row.codeBox }),
        ...endOf(row, scope.hotel),
      },
      language,
    });
    // Audit entries can't be erased, so the address is only hinted at.
    const after = { channel, to: maskedContact(to) };
    tx.audit({ action: "passcode.hand_over", entity: "passcode", entityId: passcodeId, after });
    tx.committed(() => void messages.deliverSoon([messageId]));
    return { channel, to };
  });
}

function endOf(
  { type, validTo }: Pick<CodeToSend, "type" | "validTo">,
  { language, timeZone, hourFormat }: HotelContext,
): { ends: "once" | "never" | "until"; until: string } {
  if (type === "one_time") return { ends: "once", until: "" };
  if (validTo === null) return { ends: "never", until: "" };
  const tag = timeTag(languageOf(language).tag, hourFormat);
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "full", timeStyle: "short", timeZone });
  return { ends: "until", until: format.format(new Date(validTo)) };
}
