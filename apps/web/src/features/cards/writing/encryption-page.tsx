import { useQuery } from "@tanstack/react-query";
import { KeySquare, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useKeyColumns } from "../key-columns.tsx";
import { NewKeysDialog } from "../new-keys-dialog.tsx";

const REFRESH_MILLISECONDS = 3000;

/**
 * Keys that cards are written with; only for staff members with explicit authority over them (source: specification,
 * section 6).
 */
export function EncryptionPage() {
  const { apiKeyAuth } = useMe();
  const allowed = useCan()("encryption.manage") && apiKeyAuth;
  return allowed ? <Generations /> : <NoPermission />;
}

function Generations() {
  const { t } = useTranslation();
  const columns = useKeyColumns();
  const [adding, setAdding] = useState(false);
  const profiles = useQuery(
    trpc.cards.profiles.queryOptions(undefined, {
      // We keep refreshing until every lock has confirmed the newest keys.
      refetchInterval: ({ state }) => {
        const [newest] = state.data ?? [];
        return newest && newest.locksConfirmed < newest.locksTotal ? REFRESH_MILLISECONDS : false;
      },
    }),
  );
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {t("encryption.newKeys")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("encryption.title")} description={t("encryption.text")} actions={add} />
      <DataTable
        label={t("encryption.generations")}
        columns={columns}
        rows={profiles.data}
        rowId={({ id }) => String(id)}
        error={profiles.error}
        onRetry={() => void profiles.refetch()}
        empty={{ icon: KeySquare, title: t("encryption.none"), description: t("encryption.noneText"), action: add }}
      />
      {adding && <NewKeysDialog inUse={profiles.data?.[0]} onClose={() => setAdding(false)} />}
    </>
  );
}
