import { useMemo, useState } from "react";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { RecordList } from "./record-list.tsx";

/** What one lock has reported, wherever it hung. */
export function LockDoors({ lockId }: { lockId: number }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState<RecordSearch>({});
  const of = useMemo(() => ({ lockId }), [lockId]);
  return (
    <RecordList
      of={of}
      search={search}
      onSearch={(patch) => setSearch((old) => ({ ...old, ...patch }))}
      none={{ title: t("room.noUnlocks"), description: t("room.noUnlocksText") }}
      toolbar={<h2 className="w-full text-lg font-semibold">{t("nav.doorRecords")}</h2>}
    />
  );
}
