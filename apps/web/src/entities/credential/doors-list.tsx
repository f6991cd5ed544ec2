import type { CredentialRow } from "@innkey/shared/schemas/locks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCan } from "@/lib/session.ts";
import { CredentialChip } from "./credential-chip.tsx";

type DoorsListProps<Row extends CredentialRow> = {
  credentials: readonly Row[];
  /** one-time codes */
  once?: boolean;
  /** What can be done at one door, or what else there is to say of it. */
  after?: (credential: Row) => ReactNode;
};

/** What each lock says of a key. */
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
