import { useState } from "react";
import { checkConnection, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import type { LoopbackPermission } from "@/readers/loopback-permission.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";

const MET_KEY = "readerMet";

/** Explains what to start and what the browser will ask, before a reader has answered for the first time. */
export function FirstUse({ permission }: { permission: LoopbackPermission }) {
  const { t } = useTranslation();
  const { connection, failure } = useDeskReader();
  const [metBefore] = useState(() => localStorage.getItem(MET_KEY) !== null);
  const check = (
    <Button size="sm" pending={connection === "trying"} needsServer={false} onClick={() => void checkConnection()}>
      {t("reader.check")}
    </Button>
  );

  if (connection === "connected") {
    localStorage.setItem(MET_KEY, "1");
    return null;
  }
  if (permission === "denied")
    return (
      <Alert tone="warning" title={t("reader.permission.deniedTitle")} actions={check}>
        {t("reader.permission.denied")}
      </Alert>
    );
  if (permission === "insecure")
    return (
      <Alert tone="warning" title={t("reader.permission.insecureTitle")}>
        {t("reader.permission.insecure")}
      </Alert>
    );
  if (failure) return <ReaderFailure failure={failure} actions={check} />;
  if (metBefore && permission !== "prompt") return null;
  return (
    <Alert tone="info" title={t("reader.first.title")} actions={check}>
      <ol className="list-decimal space-y-1 ps-4">
        <li>{t("reader.first.start")}</li>
        {permission !== "exempt" && permission !== "granted" && <li>{t("reader.first.allow")}</li>}
        <li>{t("reader.first.check")}</li>
      </ol>
    </Alert>
  );
}
