import { type HotelNoticeResult, NOTICE_REFUSALS } from "@innkey/shared/schemas/notices";
import { formatList } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";

/** How many locks are being told, and which rooms can't show it, by reason. */
export function NoticeAnswer({ answer: { told, cannot } }: { answer: HotelNoticeResult }) {
  const { t } = useTranslation();
  const reasons = NOTICE_REFUSALS.map((reason) => ({
    reason,
    rooms: cannot.filter((room) => room.reason === reason).map(({ roomName }) => roomName),
  })).filter(({ rooms }) => rooms.length > 0);
  return (
    <Alert
      className="mt-4"
      tone={told === 0 ? "warning" : cannot.length > 0 ? "info" : "success"}
      title={told === 0 ? t("notices.toldNone") : t("notices.told", { count: told })}
    >
      {reasons.length > 0 && (
        <ul className="mt-1 grid gap-0.5 text-sm">
          {reasons.map(({ reason, rooms }) => (
            <li key={reason}>
              {t(`notices.reason.${reason}`)}: <bdi>{formatList(rooms)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
