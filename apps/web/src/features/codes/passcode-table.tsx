import type { passcodesInput } from "@innkey/shared/schemas/passcodes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import type { DataTableProps } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import { usePasscodeColumns } from "./passcode-columns.tsx";
import { PasscodeSheet } from "./passcode-sheet.tsx";
import { usePasscodeActs } from "./use-passcode-acts.tsx";

/** Locks answer within seconds, and staff open this list to see those answers. */
const REFRESH_MILLISECONDS = 5000;

type PasscodeTableProps = {
  filter: Pick<z.input<typeof passcodesInput>, "state" | "roomId" | "type">;
  empty: DataTableProps<object>["empty"];
  toolbar?: ReactNode;
  /** True on a room's own page. */
  inRoom?: boolean;
};

/** Lists codes with their status at each door. */
export function PasscodeTable({ filter, empty, toolbar, inRoom }: PasscodeTableProps) {
  const { t } = useTranslation();
  const list = useListState();
  const columns = usePasscodeColumns(inRoom);
  const acts = usePasscodeActs();
  const [openId, setOpenId] = useState<number>();
  const live = filter.state !== "ended";
  const input = { ...filter, query: list.query.slice(0, 60), page: list.page, pageSize: list.pageSize };
  const passcodes = useQuery(
    trpc.passcodes.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MILLISECONDS,
    }),
  );
  const open = passcodes.data?.rows.find(({ id }) => id === openId);
  return (
    <>
      <ExportedTable
        label={t("nav.passcodes")}
        columns={columns}
        rows={passcodes.data?.rows}
        total={passcodes.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={passcodes.error}
        onRetry={() => void passcodes.refetch()}
        stale={passcodes.isPlaceholderData}
        onOpen={(row) => setOpenId(row.id)}
        actions={live ? (row) => acts.actions(row, live) : undefined}
        exportList={{ list: "passcodes", filters: input }}
        empty={empty}
        toolbar={toolbar}
      />
      {open && (
        <PasscodeSheet passcode={open} actions={acts.actions(open, live)} onClose={() => setOpenId(undefined)} />
      )}
      {acts.dialog}
    </>
  );
}
