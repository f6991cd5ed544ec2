import { Pause, Play } from "lucide-react";
import { useDoorConnection } from "@/entities/unlock/door-stream.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { LiveMark } from "@/ui/live-mark.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

type LiveSwitchProps = { paused: boolean; onChange: (paused: boolean) => void; readAt: number; failed: boolean };

/** Says whether the list is live, and holds it still. */
export function LiveSwitch({ paused, onChange, readAt, failed }: LiveSwitchProps) {
  const { t } = useTranslation();
  const connection = useDoorConnection();
  return (
    <span className="inline-flex items-center gap-1 ps-1">
      {paused ? (
        <span role="status" className="inline-flex items-center gap-1.5 text-sm text-expired">
          <Pause aria-hidden className="size-3.5" />
          {t("doors.paused")}
        </span>
      ) : (
        <LiveMark connection={connection} readAt={readAt} failed={failed} />
      )}
      <IconButton
        icon={paused ? Play : Pause}
        size="iconSm"
        label={paused ? t("doors.resume") : t("doors.pause")}
        onClick={() => onChange(!paused)}
      />
    </span>
  );
}
