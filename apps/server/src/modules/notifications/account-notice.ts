import { languageOf } from "@innkey/shared/languages";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Notification, Notifier, Template } from "./notifications.service.ts";

/** Whose account it is, and how they are reached. */
export interface AccountHolder {
  mobile: string | null;
  email: string | null;
  /** null: the hotel's */
  language: string | null;
}

/**
 * Tells somebody what happened to their account, in their language: by mail where they have an address and mail is set up,
 * else by SMS. It leaves with the unit or not at all; whom neither reaches isn't told.
 */
export async function notifyAccountHolder<T extends Template>(
  scope: Scope,
  unit: Unit,
  notifier: Notifier,
  { mobile, email, language }: AccountHolder,
  said: Pick<Notification<T>, "template" | "params">,
): Promise<void> {
  const ways = [
    { channel: "mail", recipient: email },
    { channel: "sms", recipient: mobile },
  ] as const;
  for (const { channel, recipient } of ways) {
    if (recipient === null || !notifier.sends(channel)) continue;
    const messageId = await notifier.queue(unit.db, {
      ...said,
      ...{ hotelId: scope.hotelId, channel, recipient },
      language: languageOf(language ?? scope.hotel.language).code,
    });
    unit.committed(() => void notifier.deliverSoon([messageId]));
    return;
  }
}
