import { languageOf } from "@innkey/shared/languages";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Notification, Notifier, Template } from "./notifications.service.ts";

/** Owner of an account, with addresses. */
export interface AccountHolder {
  mobile: string | null;
  email: string | null;
  /** Null means the hotel's language. */
  language: string | null;
}

/**
 * Notifies a person in their language about a change to their account: by mail if they have an address and mail is set
 * up, otherwise by SMS. The message is part of the transaction. If neither way is available, nothing is sent.
 */
export async function notifyAccountHolder<T extends Template>(
  scope: Scope,
  tx: Transaction,
  notifier: Notifier,
  { mobile, email, language }: AccountHolder,
  content: Pick<Notification<T>, "template" | "params">,
): Promise<void> {
  const ways = [
    { channel: "mail", recipient: email },
    { channel: "sms", recipient: mobile },
  ] as const;
  for (const { channel, recipient } of ways) {
    if (recipient === null || !notifier.sends(channel)) continue;
    const messageId = await notifier.queue(tx.db, {
      ...content,
      ...{ hotelId: scope.hotelId, channel, recipient },
      language: languageOf(language ?? scope.hotel.language).code,
    });
    tx.committed(() => void notifier.deliverSoon([messageId]));
    return;
  }
}
