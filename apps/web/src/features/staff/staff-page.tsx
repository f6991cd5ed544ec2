import { CAPABILITIES, type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { Role } from "@innkey/shared/enums";
import { LISTS } from "@innkey/shared/lists";
import { useQuery } from "@tanstack/react-query";
import { Check, KeyRound, Minus, Plus } from "lucide-react";
import { Fragment, useState } from "react";
import { areasOf } from "@/lib/capability-areas.ts";
import { cn } from "@/lib/cn.ts";
import { type TextKey, t, textOf } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { OperatorDialog } from "./operator-dialog.tsx";
import type { OperatorRow } from "./operator-form.ts";
import { OperatorList } from "./operator-list.tsx";
import { PeopleGrid, PeopleRooms, PermitBar, StaffMembers, usePermitEdits } from "./people-grid.tsx";
import type { StaffTab } from "./staff-search.ts";

/** Returns the titles of the pages that a capability opens. */
type PagesOf = (capability: Capability) => readonly TextKey[];

/** Shows what a permission allows: pages of the menu, calls of the server, and exports of lists. */
function OpenedBy({ capability, pagesOf }: { capability: Capability; pagesOf: PagesOf }) {
  const { data } = useQuery(trpc.permissions.acts.queryOptions());
  if (!data) return null;
  const acts = data.find((entry) => entry.capability === capability)?.acts ?? [];
  const exports = Object.values(LISTS).filter((list) => list.capability === capability);
  const groups = [
    { title: t("staff.opens.pages"), names: pagesOf(capability).map((key) => t(key)) },
    { title: t("staff.opens.acts"), names: acts.map((act) => textOf(`staff.act.${act}`)) },
    { title: t("staff.opens.exports"), names: exports.map(({ title }) => t(title as TextKey)) },
  ].filter(({ names }) => names.length > 0);
  if (groups.length === 0) return <p className="text-sm text-muted-foreground">{t("staff.opens.nothing")}</p>;
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm text-muted-foreground">
      {groups.map(({ title, names }) => (
        <div key={title} className="contents">
          <dt>{title}</dt>
          <dd>{names.join(" · ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Edits the permissions of all staff members in a grid. */
function PeoplePermissions() {
  const canManage = useCan()("staff.manage");
  const edits = usePermitEdits();
  const sections = areasOf(GRANTABLE_CAPABILITIES).map(({ area, names }) => ({
    id: area,
    label: t(`staff.area.${area}`),
    rows: names.map((name) => ({ id: name, label: t(`staff.capability.${name}`) })),
  }));
  return (
    <StaffMembers>
      {(people) => (
        <>
          <PeopleGrid
            label={t("staff.byPerson")}
            corner={t("staff.permission")}
            people={people}
            sections={sections}
            disabled={!canManage}
            boxOf={(person, name) => ({
              checked: edits.draftOf(person).capabilities.includes(name),
              subject: t(`staff.capability.${name}` as TextKey),
            })}
            onToggle={(person, name, on) => edits.setCapabilities([person], [name], on)}
            rowName={(name) => t(`staff.capability.${name}` as TextKey)}
            isChecked={(person, name) => edits.draftOf(person).capabilities.includes(name)}
            onToggleMany={edits.setCapabilities}
          />
          <PermitBar edits={edits} />
        </>
      )}
    </StaffMembers>
  );
}

type PermissionLevel = "always" | "granted" | "never";

function permissionLevel(role: Role, name: Capability): PermissionLevel {
  const { roles, grantable } = CAPABILITIES[name];
  if ((roles as readonly Role[]).includes(role)) return "always";
  return role === "staff" && grantable ? "granted" : "never";
}

const MARKS = {
  always: { icon: Check, style: "text-vacant" },
  granted: { icon: KeyRound, style: "text-brass-ink" },
  never: { icon: Minus, style: "text-faint-foreground" },
};

/** Shows the permissions of each role on one page. It reads the same table that the server enforces. */
function PermissionMatrix({ pagesOf }: { pagesOf: PagesOf }) {
  // From `sm` on, the name of the area stands before it and brings the space.
  const nameCell = "px-4 sm:ps-0 sm:first:ps-0";
  return (
    <>
      <ul className="mb-4 flex flex-wrap gap-x-6 gap-y-1.5 text-sm text-muted-foreground">
        {(["always", "granted", "never"] as const).map((level) => (
          <li key={level} className="flex items-center gap-1.5">
            <Mark level={level} />
            {t(`staff.standing.${level}`)}
          </li>
        ))}
      </ul>
      <Card className="overflow-hidden">
        <Table
          spacing="compact"
          className="[--edge-x:--spacing(4)] max-sm:table-fixed"
          aria-label={t("staff.permissions")}
        >
          <TableHeader className="bg-sunken/60">
            <TableRow>
              <TableCell className="w-40 max-sm:hidden" />
              <TableHead className={nameCell}>{t("staff.permission")}</TableHead>
              {Role.options.map((role) => (
                <TableHead
                  key={role}
                  className="h-10 w-[22%] px-0 text-center break-words whitespace-normal hyphens-auto last:pe-0 sm:w-36"
                >
                  {t(`shell.role.${role}`)}
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody lines={false}>
            {areasOf().map(({ area, names }) => (
              <Fragment key={area}>
                <TableRow className="border-t sm:hidden">
                  <TableHead scope="rowgroup" colSpan={4} className="px-4 pt-4 pb-1 text-sm font-semibold">
                    {t(`staff.area.${area}`)}
                  </TableHead>
                </TableRow>
                {names.map((name, index) => (
                  <Fragment key={name}>
                    <TableRow className={cn(index === 0 && "sm:border-t")}>
                      {index === 0 && (
                        <TableHead
                          scope="rowgroup"
                          rowSpan={names.length * 2}
                          className="bg-card px-5 py-2 align-top text-sm font-semibold max-sm:hidden"
                        >
                          {t(`staff.area.${area}`)}
                        </TableHead>
                      )}
                      <TableHead scope="row" className={nameCell}>
                        {t(`staff.capability.${name}`)}
                      </TableHead>
                      {Role.options.map((role) => {
                        const level = permissionLevel(role, name);
                        return (
                          <TableCell key={role} className="px-0 text-center last:pe-0">
                            <span className="inline-flex align-middle">
                              <Mark level={level} />
                              <span className="sr-only">{t(`staff.standing.${level}`)}</span>
                            </span>
                          </TableCell>
                        );
                      })}
                    </TableRow>
                    <TableRow>
                      <TableCell colSpan={4} className={`pt-0 pb-3 ${nameCell}`}>
                        <OpenedBy capability={name} pagesOf={pagesOf} />
                      </TableCell>
                    </TableRow>
                  </Fragment>
                ))}
              </Fragment>
            ))}
          </TableBody>
        </Table>
      </Card>
    </>
  );
}

function Mark({ level }: { level: PermissionLevel }) {
  const { icon: Icon, style } = MARKS[level];
  return <Icon aria-hidden className={`size-4 ${style}`} strokeWidth={2.25} />;
}

type StaffPageProps = { tab: StaffTab; pagesOf: PagesOf; onTabChange: (tab: StaffTab) => void };

/** `undefined` means no dialog; null means a new staff member. */
type Edited = OperatorRow | null | undefined;

export function StaffPage({ tab, pagesOf, onTabChange }: StaffPageProps) {
  const can = useCan();
  const canManage = can("staff.manage");
  const [edited, setEdited] = useState<Edited>();
  if (!can("staff.view")) return <NoPermission />;
  return (
    <>
      <PageHeader
        title={t("nav.staff")}
        description={t("staff.text")}
        actions={
          canManage && (
            <ActionButton onClick={() => setEdited(null)}>
              <Plus aria-hidden />
              {t("staff.create")}
            </ActionButton>
          )
        }
      />
      <PageTabs
        label={t("nav.staff")}
        value={tab}
        onChange={onTabChange}
        tabs={[
          { value: "people", label: t("staff.people") },
          { value: "permissions", label: t("staff.permissions") },
          { value: "rooms", label: t("staff.roomsTab") },
        ]}
      >
        <TabsContent value="people">
          <OperatorList onEdit={setEdited} />
        </TabsContent>
        <TabsContent value="permissions">
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
              <PermissionMatrix pagesOf={pagesOf} />
            </section>
          </div>
        </TabsContent>
        <TabsContent value="rooms">
          <PeopleRooms />
        </TabsContent>
      </PageTabs>
      {edited !== undefined && (
        <OperatorDialog key={edited?.operatorId ?? "new"} operator={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
