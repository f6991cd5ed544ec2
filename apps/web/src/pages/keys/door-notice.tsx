import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { Link } from "@tanstack/react-router";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { Callout } from "@/ui/callout.tsx";
import { type QuickCode, QuickCodeButton } from "./quick-code.tsx";

/** Says why the door doesn't take new keys now, and what opens it meanwhile. Renders nothing while all is well. */
export function DoorNotice({ keys, code }: { keys: StayKeys; code: QuickCode }) {
  const seesLocks = useCan()("locks.view");
  const { door, room } = keys;
  if (keys.state !== "checked_in") return null;
  if (door === null)
    return (
      <Callout tone="info" title={t("keys.noLock", { room: room.name })}>
        <p>{t("keys.mechanical")}</p>
      </Callout>
    );
  if (!door.setUp)
    return (
      <Callout tone="warning" title={t("keys.notSetUp", { room: room.name })}>
        <p>
          {t("keys.mechanical")}{" "}
          {seesLocks && (
            <Link to="/locks" search={{ show: "new" }} className="font-medium underline underline-offset-3">
              {t("card.toLocks")}
            </Link>
          )}
        </p>
      </Callout>
    );
  if (door.online) return null;
  return (
    <Callout
      tone="warning"
      title={t("keys.unreachable", { room: room.name })}
      actions={door.computesCodes && <QuickCodeButton code={code} />}
    >
      <p>
        {door.lastSeenAt && `${t("locks.seen", { when: formatRelative(door.lastSeenAt) })} · `}
        {door.readsCards ? t("keys.unreachableCards") : t("keys.mechanical")}
      </p>
    </Callout>
  );
}
