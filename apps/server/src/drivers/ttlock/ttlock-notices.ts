import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "../../adapters/process/network-of.ts";
import { createLinkedEvents, slotOfCode } from "../../domain/access/lock-links/linked-events.ts";
import type { Services } from "../../domain/services.ts";
import { sameSecret } from "../../kernel/secret-box.ts";
import { storeTtlockRecords } from "./ttlock-driver.ts";

/** Limit per hotel; all its locks together report far less */
const MAX_NOTICES_PER_MINUTE = 600;
const MAX_UNKNOWN_SECRETS_PER_MINUTE = 20;

/** The hotel whose TTLock account a secret belongs to. */
export interface TtlockSender {
  hotelId: number;
}

/** `malformed`: the form is no notice; `unknown`: no hotel has this secret. */
type NoticeOutcome = "accepted" | "malformed" | "unknown" | "too_many";

/** Accepts the records that the TTLock cloud posts, within limits per hotel, and per network for unknown secrets. */
export class TtlockNotices {
  readonly #links: Services["links"];
  readonly #records: Parameters<typeof storeTtlockRecords>[0];
  readonly #notices = new RateLimiterMemory({ points: MAX_NOTICES_PER_MINUTE, duration: 60 });
  readonly #unknownSecrets = new RateLimiterMemory({ points: MAX_UNKNOWN_SECRETS_PER_MINUTE, duration: 60 });

  constructor({ links, scopes, lockReports }: Pick<Services, "links" | "scopes" | "lockReports">) {
    this.#links = links;
    this.#records = {
      events: createLinkedEvents(scopes, lockReports),
      reports: lockReports,
      slotOfCode: (hotelId, address, code) => slotOfCode(scopes, hotelId, address, code),
    };
  }

  /** Returns the hotel to which the secret of a callback path belongs. */
  findSender(secret: string): TtlockSender | undefined {
    return this.#links.all("ttlock").find(({ settings }) => sameSecret(settings.callbackSecret, secret));
  }

  /** Stores the records of a form. @throws if they can't be stored now; the cloud sends them again */
  async accept(sender: TtlockSender | undefined, address: string, form: unknown): Promise<NoticeOutcome> {
    const counted = sender
      ? this.#notices.consume(String(sender.hotelId))
      : this.#unknownSecrets.consume(networkOf(address));
    const isWithinLimit = await counted.then(() => true).catch(() => false);
    if (!isWithinLimit) return "too_many";
    if (!sender) return "unknown";
    return (await storeTtlockRecords(this.#records, sender.hotelId, form)) ? "accepted" : "malformed";
  }
}
