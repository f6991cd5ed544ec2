import { useMutation, useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { PageHeader } from "@/components/page-header.tsx";
import { DataTable } from "@/components/table/data-table.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { useRiskColumns } from "./risk-columns.tsx";

const REFRESH_MILLISECONDS = 5000;

/** Keys that were taken back and may still open a door. Each leaves by itself once its lock confirms. */
export function RiskScreen() {
  const { t } = useTranslation();
  const mayResend = useCan()("locks.retry");
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
  const columns = useRiskColumns(mayResend ? mutate : undefined, isPending ? variables : undefined);

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
