import type { LocksStatus, SystemPart, SystemStatus } from "@innkey/shared/schemas/system";

/** "silent": it did not answer in time; "off": it was never set up. */
export type PartState = "well" | "care" | "away" | "silent" | "off";

export type ShownPart = Exclude<SystemPart, "workers" | "disk"> | "certificate" | "senders" | "webhooks" | "processes";

export interface PartStanding {
  state: PartState;
  /** when it began, where that is known */
  since: string | null;
}

const DAY_MS = 86_400_000;
/** Certificates are renewed a month before their end: one with less left is not. */
const CERTIFICATE_DAYS = 14;

/** How each part of the page stands, worst first where two speak of one card. */
export function partStates(status: SystemStatus): Record<ShownPart, PartStanding> {
  const troubles = new Map(status.troubles.map(({ part, since }) => [part, since]));
  const by = (...parts: SystemPart[]): string | undefined => parts.map((part) => troubles.get(part)).find(Boolean);
  const standing = (state: PartState, since: string | undefined): PartStanding => ({ state, since: since ?? null });
  const told = (answered: boolean, ...parts: SystemPart[]): PartStanding => {
    const since = by(...parts);
    return standing(since ? "away" : answered ? "well" : "silent", since);
  };
  const plain = (state: PartState): PartStanding => standing(state, undefined);
  const { database, queue, locks, storage, senders, webhooks, processes } = status;
  const little = by("disk");
  return {
    database: told(database !== null, "database"),
    queue: by("queue", "workers")
      ? told(true, "queue", "workers")
      : plain(!queue.jobs ? "silent" : queue.jobs.some(({ failed }) => failed > 0) ? "care" : "well"),
    locks: !by("locks") && locks && isMostlySilent(locks) ? plain("care") : told(locks !== null, "locks"),
    liveEvents: told(true, "liveEvents"),
    storage: !by("storage") && little ? standing("care", little) : told(storage !== null, "storage"),
    backup: backupState(status, by("backup")),
    journal: by("journal") ? standing("away", by("journal")) : plain(status.journal ? "well" : "off"),
    certificate: plain(certificateState(status)),
    senders: plain(senderState(senders)),
    webhooks: plain(
      !webhooks ? "silent" : webhooks.failing + webhooks.givenUp > 0 ? "care" : webhooks.on > 0 ? "well" : "off",
    ),
    processes: plain(!processes ? "silent" : processes.some(({ alive }) => !alive) ? "care" : "well"),
  };
}

/** Some lock is always out of battery; when most of them are away it is something else. */
const isMostlySilent = ({ online, registered }: LocksStatus): boolean => registered > 0 && online < registered / 2;

function backupState({ backup }: SystemStatus, since: string | undefined): PartStanding {
  if (since) return { state: "care", since };
  return { state: backup.everyHours === 0 && !backup.last ? "off" : "well", since: null };
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

/** How many need somebody. */
export function needingCare(states: Record<ShownPart, PartStanding>): number {
  return Object.values(states).filter(({ state }) => state !== "well" && state !== "off").length;
}
