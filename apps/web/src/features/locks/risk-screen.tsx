import { useMutation, useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useCallback } from "react";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useRiskColumns } from "./risk-columns.tsx";

const REFRESH_MILLISECONDS = 5000;

/** Lists keys that were revoked but may still open a door. Each disappears once its lock confirms. */
export function RiskScreen() {
  const { t } = useTranslation();
  const can = useCan();
  const risks = useQuery(trpc.locks.residual.queryOptions(undefined, { refetchInterval: REFRESH_MILLISECONDS }));
  const resend = useMutation(
    trpc.locks.tellAgain.mutationOptions({
      onSuccess: (_, { lockId }) =>
        risks.data?.find((row) => row.lockId === lockId)?.online === false
          ? toast.info(t("locks.whenBack"))
          : toast.success(t("locks.risk.told")),
      onSettled: () => void risks.refetch(),
    }),
  );
  const { mutate, isPending, variables } = resend;
  const { mutateAsync: writeOff } = useMutation(trpc.locks.writeOffKeys.mutationOptions());
  const { refetch } = risks;
  const askToWriteOff = useCallback(
    (lockId: number) =>
      void confirm({
        title: t("locks.risk.writeOffAsk"),
        description: t("locks.risk.writeOffText"),
        confirmLabel: t("locks.risk.writeOff"),
        tone: "danger",
        action: async () => {
          await writeOff({ lockId });
          await refetch();
        },
      }),
    [t, writeOff, refetch],
  );
  const columns = useRiskColumns({
    onResend: can("locks.retry") ? mutate : undefined,
    resending: isPending ? variables : undefined,
    onWriteOff: can("locks.manage") ? askToWriteOff : undefined,
  });

  return (
    <>
      <PageHeader title={t("nav.risk")} description={t("locks.risk.text")} />
      <DataTable
        label={t("nav.risk")}
        columns={columns}
        rows={risks.data}
        rowId={(row) => row.key}
        error={risks.error}
        onRetry={() => void risks.refetch()}
        empty={{ icon: ShieldCheck, title: t("locks.risk.none"), description: t("locks.risk.noneText") }}
      />
    </>
  );
}
