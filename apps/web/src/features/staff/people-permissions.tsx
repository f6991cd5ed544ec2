import { GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { areasOf } from "@/lib/capability-areas.ts";
import { type TextKey, useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { PeopleGrid } from "./people-grid.tsx";
import { PermitBar } from "./permit-bar.tsx";
import { StaffMembers } from "./staff-members.tsx";
import { usePermitEdits } from "./use-permit-edits.ts";

/** Edits the permissions of all staff members in a grid. */
export function PeoplePermissions() {
  const { t } = useTranslation();
  const manage = useCan()("staff.manage");
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
            disabled={!manage}
            boxOf={(person, name) => ({
              checked: edits.draftOf(person).capabilities.includes(name),
              what: t(`staff.capability.${name}` as TextKey),
            })}
            onToggle={edits.toggleCapability}
          />
          <PermitBar edits={edits} />
        </>
      )}
    </StaffMembers>
  );
}
