import { useEffect, useRef, useState } from "react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { forgetCardToken, refusalText, tryAtGateway } from "./card-gateway.ts";

type Attempt = { state: "none" | "trying" } | { state: "works"; rooms: number } | { state: "refused"; why: string };

/** Tries a new key before it is handed over. The gateway's token is discarded when this closes. */
export function TryKey({ token }: { token: string }) {
  const { t } = useTranslation();
  const { id: hotelId } = useHotel();
  const [attempt, setAttempt] = useState<Attempt>({ state: "none" });
  const leaving = useRef<AbortController>(undefined);

  useEffect(
    () => () => {
      leaving.current?.abort();
      forgetCardToken();
    },
    [],
  );

  async function tryIt(): Promise<void> {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    setAttempt({ state: "trying" });
    try {
      setAttempt({ state: "works", rooms: await tryAtGateway(token, hotelId, signal) });
    } catch (error) {
      if (!signal.aborted) setAttempt({ state: "refused", why: refusalText(error) });
    }
  }

  return (
    <div className="grid gap-3">
      <Button className="justify-self-start" pending={attempt.state === "trying"} onClick={() => void tryIt()}>
        {t("third.try")}
      </Button>
      {attempt.state === "works" && (
        <Alert
          tone="success"
          title={t("third.tried", { count: attempt.rooms, formatted: formatNumber(attempt.rooms) })}
        />
      )}
      {attempt.state === "refused" && (
        <Alert tone="danger" title={t("third.tryRefused")}>
          {attempt.why}
        </Alert>
      )}
    </div>
  );
}
