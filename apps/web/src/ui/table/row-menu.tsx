import { Ellipsis } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { ActionMenuItem } from "../action/action-menu-item.tsx";
import { Button } from "../primitives/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "../primitives/dropdown-menu.tsx";
import type { RowAction } from "./columns.ts";

export function RowMenu<Row>({ row, actions }: { row: Row; actions: readonly RowAction<Row>[] }) {
  const { t } = useTranslation();
  if (actions.length === 0) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={t("common.actions")}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" onClick={(event) => event.stopPropagation()}>
        {actions.map((action) => (
          <ActionMenuItem
            key={action.label}
            icon={action.icon}
            danger={action.danger}
            disabled={action.disabled}
            needsServer={action.needsServer}
            onSelect={() => action.onSelect(row)}
          >
            {action.label}
          </ActionMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
