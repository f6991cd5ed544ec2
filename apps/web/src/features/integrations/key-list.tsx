import type { KeyRow } from "@innkey/shared/schemas/integrations";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useApiKeyColumns } from "./api-key-columns.tsx";

export function KeyList({ create }: { create: ReactNode }) {
  const { t } = useTranslation();
  const columns = useApiKeyColumns();
  const { data, error, refetch } = useQuery(trpc.integrations.keys.queryOptions());
  const revoke = useMutation(trpc.integrations.revokeKey.mutationOptions());

  function askToRevoke({ id, name }: KeyRow): void {
    void confirm({
      title: t("third.revokeTitle", { name }),
      description: t("third.revokeText"),
      confirmLabel: t("third.revoke"),
      tone: "danger",
      action: async () => {
        await revoke.mutateAsync({ id });
        refreshEverything();
        toast.success(t("third.revoked", { name }));
      },
    });
  }

  function actions({ state }: KeyRow): RowAction<KeyRow>[] {
    return state === "revoked" ? [] : [{ label: t("third.revoke"), icon: Ban, danger: true, onSelect: askToRevoke }];
  }

  return (
    <DataTable
      label={t("third.tab.keys")}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{ icon: KeyRound, title: t("third.noKeys"), description: t("third.noKeysText"), action: create }}
    />
  );
}
