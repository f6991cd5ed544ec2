import { PASSCODE_FILTERS, PASSCODE_TYPES } from "@innkey/shared/words";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { boardQuery, collator } from "@/entities/room/board-query.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { PasscodeSearch } from "./passcode-search.ts";
import { PasscodeTable } from "./passcode-table.tsx";

const ALL = "all";

/** Lists the hotel's door codes: who has them, how long they are valid, and whether the locks have them. */
export function PasscodeListPage({ search }: { search: PasscodeSearch }) {
  const can = useCan();
  const list = useListState();
  const stays = useStayActions();
  const { data: board } = useQuery({ ...boardQuery, enabled: can("rooms.view") });
  const rooms = useMemo(
    () =>
      (board?.rooms ?? [])
        .toSorted((a, b) => collator.compare(a.name, b.name))
        .map(({ id, name, remarkName }) => ({ value: id, label: name, detail: remarkName, keywords: [remarkName] })),
    [board],
  );
  if (!can("passcodes.view")) return <NoPermission />;

  const tab = search.tab ?? "live";
  const isFiltered = list.query !== "" || search.type !== undefined || search.room !== undefined;
  const create = can("passcodes.issue") && can("rooms.view") && (
    <ActionButton onClick={() => stays.createPasscode({ roomIds: search.room ? [search.room] : [] })}>
      <Plus aria-hidden />
      {t("passcode.new")}
    </ActionButton>
  );
  const empty = isFiltered
    ? { drawing: KeyOnHook, title: t("passcode.noneFound"), description: t("passcode.noneFoundText") }
    : tab === "live"
      ? { drawing: KeyOnHook, title: t("passcode.none"), description: t("passcode.noneText") }
      : { drawing: KeyOnHook, title: t("passcode.noneEnded") };
  return (
    <>
      <PageHeader title={t("nav.passcodes")} description={t("passcode.text")} actions={create} />
      <PageTabs
        label={t("nav.passcodes")}
        value={tab}
        onChange={(next) => list.change({ tab: next === "live" ? undefined : next })}
        tabs={PASSCODE_FILTERS.map((value) => ({ value, label: t(`passcode.tab.${value}`) }))}
      >
        <TabsContent value={tab}>
          <PasscodeTable
            key={tab}
            filter={{ state: tab, type: search.type, roomId: search.room }}
            empty={empty}
            toolbar={
              <>
                <SearchInput label={t("passcode.search")} value={list.query} onChange={list.setQuery} />
                <SelectInput
                  aria-label={t("passcode.type")}
                  className="w-auto min-w-36"
                  value={search.type ?? ALL}
                  onChange={(type) => list.change({ type: type === ALL ? undefined : type })}
                  options={[
                    { value: ALL, label: t("passcode.allTypes") },
                    ...PASSCODE_TYPES.map((type) => ({ value: type, label: t(`locks.passcodeType.${type}`) })),
                  ]}
                />
                <div className="w-40">
                  <Combobox
                    aria-label={t("board.room")}
                    clearable
                    placeholder={t("passcode.allRooms")}
                    options={rooms}
                    value={search.room ?? null}
                    onChange={(room) => list.change({ room: room ?? undefined })}
                  />
                </div>
              </>
            }
          />
        </TabsContent>
      </PageTabs>
    </>
  );
}
