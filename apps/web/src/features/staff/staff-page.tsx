import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { TabPanel, Tabs } from "@/ui/primitives/tabs.tsx";
import { OperatorDialog } from "./operator-dialog.tsx";
import type { OperatorRow } from "./operator-form.ts";
import { OperatorList } from "./operator-list.tsx";
import { PeoplePermissions } from "./people-permissions.tsx";
import { PeopleRooms } from "./people-rooms.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";
import type { StaffTab } from "./staff-search.ts";

type StaffPageProps = { tab: StaffTab; onTabChange: (tab: StaffTab) => void };

/** `undefined` means no dialog; null means a new staff member. */
type Edited = OperatorRow | null | undefined;

export function StaffPage({ tab, onTabChange }: StaffPageProps) {
  const { t } = useTranslation();
  const manage = useCan()("staff.manage");
  const [edited, setEdited] = useState<Edited>();
  return (
    <>
      <PageHeader
        title={t("nav.staff")}
        description={t("staff.text")}
        actions={
          manage && (
            <Button variant="primary" onClick={() => setEdited(null)}>
              <Plus aria-hidden />
              {t("staff.create")}
            </Button>
          )
        }
      />
      <Tabs
        label={t("nav.staff")}
        value={tab}
        onChange={onTabChange}
        tabs={[
          { value: "people", label: t("staff.people") },
          { value: "permissions", label: t("staff.permissions") },
          { value: "rooms", label: t("staff.roomsTab") },
        ]}
      >
        <TabPanel value="people">
          <OperatorList onEdit={setEdited} />
        </TabPanel>
        <TabPanel value="permissions">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
            <section aria-labelledby="by-person">
              <h2 id="by-person" className="mb-3 text-lg font-semibold">
                {t("staff.byPerson")}
              </h2>
              <PeoplePermissions />
            </section>
            <section aria-labelledby="by-role">
              <h2 id="by-role" className="mb-3 text-lg font-semibold">
                {t("staff.byRole")}
              </h2>
              <PermissionMatrix />
            </section>
          </div>
        </TabPanel>
        <TabPanel value="rooms">
          <PeopleRooms />
        </TabPanel>
      </Tabs>
      {edited !== undefined && (
        <OperatorDialog key={edited?.operatorId ?? "new"} operator={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
