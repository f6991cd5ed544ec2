import type { LockDetail } from "@innkey/shared/schemas/locks";
import type { ReactNode } from "react";
import { lastSeenText } from "@/entities/lock/lock-words.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { PowerBar } from "./power-bar.tsx";

/** Clock drift in seconds from which keys start or end at the wrong minute. */
const DRIFT_SECONDS = 120;

export function LockFacts({ lock }: { lock: LockDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { driftSeconds } = lock;
  const drifts = driftSeconds !== null && Math.abs(driftSeconds) > DRIFT_SECONDS;
  return (
    <Card>
      <CardHeader title={t("room.lock")} />
      <CardBody>
        <dl className="grid gap-2.5">
          <Fact label={t("locks.power")}>
            <PowerBar power={lock.power} />
          </Fact>
          <Fact label={t("room.lastSeen")}>
            <span title={lock.lastSeenAt ? formatDateTime(lock.lastSeenAt, timeZone) : undefined}>
              {lastSeenText(lock.lastSeenAt)}
            </span>
          </Fact>
          <Fact label={t("locks.clock")}>
            {driftSeconds === null ? (
              "–"
            ) : (
              <span className={drifts ? "font-medium text-expired" : undefined}>{driftText(t, driftSeconds)}</span>
            )}
          </Fact>
          <Fact label={t("locks.waiting")}>{formatNumber(lock.waiting)}</Fact>
          <Fact label={t("locks.unusedCodes")}>{formatNumber(lock.unusedCodes)}</Fact>
          <Fact label={t("locks.readBack")}>{lastSeenText(lock.readBackAt)}</Fact>
          <Fact label={t("locks.setUpAt")}>
            {lock.configuredAt ? formatDateTime(lock.configuredAt, timeZone) : t("room.neverSeen")}
          </Fact>
          <Fact label={t("room.driver")}>{t(`locks.driver.${lock.driver}`)}</Fact>
          {lock.address && (
            <Fact
              label={lock.driver === "ttlock" ? t("locks.form.address.ttlock") : t("locks.form.address.zigbee2mqtt")}
            >
              <bdi className="break-all">{lock.address}</bdi>
            </Fact>
          )}
          <Fact label={t("room.mac")}>
            <bdi dir="ltr" className="font-mono text-sm">
              {lock.mac}
            </bdi>
          </Fact>
          {lock.bluetoothName && <Fact label={t("room.bluetoothName")}>{lock.bluetoothName}</Fact>}
          <Fact label={t("room.firmware")}>
            <bdi>{lock.firmware || "–"}</bdi>
          </Fact>
        </dl>
      </CardBody>
    </Card>
  );
}

function driftText(t: Translate, seconds: number): string {
  const amount = formatNumber(Math.abs(seconds), { style: "unit", unit: "second", unitDisplay: "short" });
  if (Math.abs(seconds) <= 1) return t("locks.clockRight");
  return seconds > 0 ? t("locks.clockAhead", { amount }) : t("locks.clockBehind", { amount });
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-end">{children}</dd>
    </div>
  );
}
