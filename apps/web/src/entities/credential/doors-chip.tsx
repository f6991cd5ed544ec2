import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { CredentialChip } from "./credential-chip.tsx";

/** Shows the state of a key at its doors: the state that needs attention most, and how many doors are in it. */
export function DoorsChip({ credentials, once }: { credentials: readonly CredentialRow[]; once?: boolean }) {
  const { t } = useTranslation();
  const first = foremost(credentials);
  if (!first) return "–";
  const alike = credentials.filter(({ state }) => state === first.state).length;
  return (
    <span className="block whitespace-normal">
      <CredentialChip credential={first} once={once} />
      {credentials.length > 1 && (
        <span className="block text-xs text-muted-foreground">
          {t("passcode.ofDoors", { some: formatNumber(alike), total: formatNumber(credentials.length) })}
        </span>
      )}
    </span>
  );
}

type State = CredentialRow["state"];

/** States by the attention they need, most urgent first. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** Returns the door with the most urgent state among several of a key. */
function foremost(credentials: readonly CredentialRow[]): CredentialRow | undefined {
  return credentials.toSorted((a, b) => ATTENTION.indexOf(a.state) - ATTENTION.indexOf(b.state))[0];
}

const UNDER_WAY: readonly State[] = ["queued", "sent", "revoking"];

/** Checks whether the answer of the lock is pending. */
export function isUnderWay({ state }: Pick<CredentialRow, "state">): boolean {
  return UNDER_WAY.includes(state);
}

/** Checks whether the lock has stored the key. */
export function isReady({ state }: Pick<CredentialRow, "state">): boolean {
  return state === "confirmed" || state === "used";
}

type DoorsListProps<Row extends CredentialRow> = {
  credentials: readonly Row[];
  /** One-time codes. */
  once?: boolean;
  /** Action or remark for one door. */
  after?: (credential: Row) => ReactNode;
};

/** Lists the state of a key at each lock. */
export function DoorsList<Row extends CredentialRow>({ credentials, once, after }: DoorsListProps<Row>) {
  const seesRooms = useCan()("rooms.view");
  return (
    <ul className="divide-y rounded-md border">
      {credentials.map((credential) => (
        <li key={credential.id} className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-2.5">
          <span className="min-w-14 font-medium">
            {credential.roomId !== null && seesRooms ? (
              <Link to="/room/$roomId" params={{ roomId: credential.roomId }} className="rounded-sm hover:underline">
                <bdi>{credential.roomName}</bdi>
              </Link>
            ) : (
              <bdi>{credential.roomName ?? "–"}</bdi>
            )}
          </span>
          <CredentialChip credential={credential} once={once} className="flex-1 basis-40" />
          {after?.(credential)}
        </li>
      ))}
    </ul>
  );
}
