import { DAY_MS } from "@innkey/shared/durations";
import type { LocksStatus, SystemPart, SystemStatus } from "@innkey/shared/schemas/overview/system";

/**
 * The state of a part of the system. "well": it works; "care": it works, but needs attention soon; "away": it has failed;
 * "silent": it didn't answer in time; "off": it was never set up; "unproven": it was not verified recently, so it may not
 * work.
 */
export type PartState = "well" | "care" | "away" | "silent" | "off" | "unproven";

export type DisplayedPart =
  | Exclude<SystemPart, "workers" | "disk">
  | "certificate"
  | "senders"
  | "webhooks"
  | "processes";

export interface PartStatus {
  state: PartState;
  /** Time since when the part has had this state, if known. */
  since: string | null;
}

/** Certificates are renewed a month before they expire, so fewer remaining days mean that the renewal failed. */
const CERTIFICATE_DAYS = 14;
/** A backup is test-restored every day. After this many days without a successful test, it counts as unproven. */
const PROVEN_DAYS = 3;

/** Returns the status of each part. Where two parts share a card, the worse one counts. */
export function partStates(status: SystemStatus): Record<DisplayedPart, PartStatus> {
  const troubles = new Map(status.troubles.map(({ part, since }) => [part, since]));
  const troubleSince = (...parts: SystemPart[]): string | undefined =>
    parts.map((part) => troubles.get(part)).find(Boolean);
  const partStatus = (state: PartState, since: string | undefined): PartStatus => ({ state, since: since ?? null });
  const statusOf = (answered: boolean, ...parts: SystemPart[]): PartStatus => {
    const since = troubleSince(...parts);
    return partStatus(since ? "away" : answered ? "well" : "silent", since);
  };
  const withoutSince = (state: PartState): PartStatus => partStatus(state, undefined);
  const { database, queue, locks, storage, senders, webhooks, processes } = status;
  const diskShortageSince = troubleSince("disk");
  return {
    database: statusOf(database !== null, "database"),
    queue: troubleSince("queue", "workers")
      ? statusOf(true, "queue", "workers")
      : withoutSince(!queue.jobs ? "silent" : queue.jobs.some(({ failed }) => failed > 0) ? "care" : "well"),
    locks:
      !troubleSince("locks") && locks && isPartlySilent(locks)
        ? withoutSince("care")
        : statusOf(locks !== null, "locks"),
    liveEvents: statusOf(true, "liveEvents"),
    storage:
      !troubleSince("storage") && diskShortageSince
        ? partStatus("care", diskShortageSince)
        : statusOf(storage !== null, "storage"),
    backup: backupState(status, troubleSince("backup")),
    journal: troubleSince("journal")
      ? partStatus("away", troubleSince("journal"))
      : withoutSince(status.journal ? "well" : "off"),
    certificate: withoutSince(certificateState(status)),
    senders: withoutSince(senderState(senders)),
    webhooks: withoutSince(
      !webhooks ? "silent" : webhooks.failing + webhooks.givenUp > 0 ? "care" : webhooks.on > 0 ? "well" : "off",
    ),
    processes: withoutSince(!processes ? "silent" : processes.some(({ alive }) => !alive) ? "care" : "well"),
  };
}

/** Returns the parts that concern the hotel itself, for users who don't run the installation. */
export function hotelParts({ locks, senders, webhooks }: Record<DisplayedPart, PartStatus>) {
  return { locks, senders, webhooks };
}

/** Checks whether more than one in five locks is offline. Fewer are normal, e.g. because of empty batteries. */
const isPartlySilent = ({ online, registered }: LocksStatus): boolean => online < registered * 0.8;

function backupState({ backup, at }: SystemStatus, since: string | undefined): PartStatus {
  if (since) return { state: "care", since };
  const { everyHours, last } = backup;
  if (everyHours === 0 && !last) return { state: "off", since: null };
  const verifiedAt = last?.verifiedAt ?? null;
  const isProven = verifiedAt !== null && Date.parse(at) - Date.parse(verifiedAt) < PROVEN_DAYS * DAY_MS;
  return { state: isProven ? "well" : "unproven", since: null };
}

function certificateState({ certificate, at }: SystemStatus): PartState {
  if (!certificate) return "off";
  if (!certificate.expiresAt) return "silent";
  const remainingMs = Date.parse(certificate.expiresAt) - Date.parse(at);
  return certificate.problem !== "" || remainingMs < CERTIFICATE_DAYS * DAY_MS ? "care" : "well";
}

function senderState(senders: SystemStatus["senders"]): PartState {
  if (!senders) return "silent";
  const configuredSenders = [senders.mail, senders.sms].filter(({ configured }) => configured);
  if (configuredSenders.length === 0) return "off";
  return configuredSenders.some(({ lastFailure }) => lastFailure) ? "care" : "well";
}

/** Returns the number of parts that need attention. */
export function countNeedingCare(states: Partial<Record<DisplayedPart, PartStatus>>): number {
  return Object.values(states).filter(({ state }) => state !== "well" && state !== "off").length;
}
