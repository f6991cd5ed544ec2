import { t } from "@/lib/i18n.ts";
import { Combobox } from "@/ui/form/combobox.tsx";

type GroupFilterProps = {
  groups: readonly { id: number; name: string }[] | undefined;
  value: number | undefined;
  onChange: (group: number | undefined) => void;
};

/** Filters rooms by one group. */
export function GroupFilter({ groups = [], value, onChange }: GroupFilterProps) {
  return (
    <Combobox
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(group) => onChange(group ?? undefined)}
      placeholder={t("board.allGroups")}
      aria-label={t("board.group")}
      clearable
    />
  );
}
