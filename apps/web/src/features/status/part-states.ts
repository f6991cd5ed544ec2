import type { LocksStatus, SystemPart, SystemStatus } from "@innkey/shared/schemas/overview/system";

/** "silent": no answer in time; "off": never set up; "unproven": not verified recently, so it may not work. */
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

const DAY_MS = 86_400_000;
/** Certificates are renewed a month before they expire, so fewer remaining days mean that the renewal failed. */
const CERTIFICATE_DAYS = 14;
/** A backup is test-restored every day. After this many days without a successful test, it counts as unproven. */
const PROVEN_DAYS = 3;

/** Returns the status of each part. Where two parts share a card, the worse one counts. */
export function partStates(status: SystemStatus): Record<DisplayedPart, PartStatus> {
  const troubles = new Map(status.troubles.map(({ part, since }) => [part, since]));
  const by = (...parts: SystemPart[]): string | undefined => parts.map((part) => troubles.get(part)).find(Boolean);
  const partStatus = (state: PartState, since: string | undefined): PartStatus => ({ state, since: since ?? null });
  const statusOf = (answered: boolean, ...parts: SystemPart[]): PartStatus => {
    const since = by(...parts);
    return partStatus(since ? "away" : answered ? "well" : "silent", since);
  };
  const plain = (state: PartState): PartStatus => partStatus(state, undefined);
  const { database, queue, locks, storage, senders, webhooks, processes } = status;
  const little = by("disk");
  return {
    database: statusOf(database !== null, "database"),
    queue: by("queue", "workers")
      ? statusOf(true, "queue", "workers")
      : plain(!queue.jobs ? "silent" : queue.jobs.some(({ failed }) => failed > 0) ? "care" : "well"),
    locks: !by("locks") && locks && isPartlySilent(locks) ? plain("care") : statusOf(locks !== null, "locks"),
    liveEvents: statusOf(true, "liveEvents"),
    storage: !by("storage") && little ? partStatus("care", little) : statusOf(storage !== null, "storage"),
    backup: backupState(status, by("backup")),
    journal: by("journal") ? partStatus("away", by("journal")) : plain(status.journal ? "well" : "off"),
    certificate: plain(certificateState(status)),
    senders: plain(senderState(senders)),
    webhooks: plain(
      !webhooks ? "silent" : webhooks.failing + webhooks.givenUp > 0 ? "care" : webhooks.on > 0 ? "well" : "off",
    ),
    processes: plain(!processes ? "silent" : processes.some(({ alive }) => !alive) ? "care" : "well"),
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
  const proven = verifiedAt !== null && Date.parse(at) - Date.parse(verifiedAt) < PROVEN_DAYS * DAY_MS;
  return { state: proven ? "well" : "unproven", since: null };
}

function certificateState({ certificate, at }: SystemStatus): PartState {
  if (!certificate) return "off";
  if (!certificate.expiresAt) return "silent";
  const left = Date.parse(certificate.expiresAt) - Date.parse(at);
  return certificate.problem !== "" || left < CERTIFICATE_DAYS * DAY_MS ? "care" : "well";
}

function senderState(senders: SystemStatus["senders"]): PartState {
  if (!senders) return "silent";
  const both = [senders.mail, senders.sms].filter(({ configured }) => configured);
  if (both.length === 0) return "off";
  return both.some(({ lastFailure }) => lastFailure) ? "care" : "well";
}

/** Returns the number of parts that need attention. */
export function needingCare(states: Partial<Record<DisplayedPart, PartStatus>>): number {
  return Object.values(states).filter(({ state }) => state !== "well" && state !== "off").length;
}
