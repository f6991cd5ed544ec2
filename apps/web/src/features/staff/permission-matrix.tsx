import { CAPABILITIES, type Capability } from "@innkey/shared/capabilities";
import { Role } from "@innkey/shared/enums";
import { Check, KeyRound, Minus } from "lucide-react";
import { Fragment } from "react";
import { areasOf } from "@/lib/capability-areas.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Card } from "@/ui/primitives/card.tsx";

type PermissionLevel = "always" | "granted" | "never";

function permissionLevel(role: Role, name: Capability): PermissionLevel {
  const { roles, grantable } = CAPABILITIES[name];
  if ((roles as readonly Role[]).includes(role)) return "always";
  return role === "staff" && grantable ? "granted" : "never";
}

const MARKS = {
  always: { icon: Check, look: "text-vacant" },
  granted: { icon: KeyRound, look: "text-brass-ink" },
  never: { icon: Minus, look: "text-faint-foreground" },
};

/** Shows the permissions of each role on one page. It reads the same table that the server enforces. */
export function PermissionMatrix() {
  const { t } = useTranslation();
  return (
    <>
      <ul className="mb-4 flex flex-wrap gap-x-6 gap-y-1.5 text-sm text-muted-foreground">
        {(["always", "granted", "never"] as const).map((level) => (
          <li key={level} className="flex items-center gap-1.5">
            <Mark standing={level} />
            {t(`staff.standing.${level}`)}
          </li>
        ))}
      </ul>
      <Card className="overflow-hidden">
        <table className="w-full border-collapse max-sm:table-fixed" aria-label={t("staff.permissions")}>
          <thead className="bg-sunken/60">
            <tr>
              <td className="w-40 max-sm:hidden" />
              <th scope="col" className="h-10 px-4 text-start text-xs font-medium text-muted-foreground sm:ps-0">
                {t("staff.permission")}
              </th>
              {Role.options.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="w-[22%] text-center text-xs font-medium break-words hyphens-auto text-muted-foreground sm:w-36 sm:px-1"
                >
                  {t(`shell.role.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {areasOf().map(({ area, names }) => (
              <Fragment key={area}>
                <tr className="border-t sm:hidden">
                  <th scope="rowgroup" colSpan={4} className="px-4 pt-4 pb-1 text-start text-sm font-semibold">
                    {t(`staff.area.${area}`)}
                  </th>
                </tr>
                {names.map((name, index) => (
                  <tr key={name} className={cn("hover:bg-hover/50", index === 0 && "sm:border-t")}>
                    {index === 0 && (
                      <th
                        scope="rowgroup"
                        rowSpan={names.length}
                        className="bg-card px-5 py-2 text-start align-top text-sm font-semibold max-sm:hidden"
                      >
                        {t(`staff.area.${area}`)}
                      </th>
                    )}

                    <th scope="row" className="px-4 py-1.5 text-start font-normal sm:ps-0">
                      {t(`staff.capability.${name}`)}
                    </th>
                    {Role.options.map((role) => {
                      const level = permissionLevel(role, name);
                      return (
                        <td key={role} className="px-1 text-center">
                          <span className="inline-flex align-middle">
                            <Mark standing={level} />
                            <span className="sr-only">{t(`staff.standing.${level}`)}</span>
                          </span>
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

function Mark({ standing: level }: { standing: PermissionLevel }) {
  const { icon: Icon, look } = MARKS[level];
  return <Icon aria-hidden className={`size-4 ${look}`} strokeWidth={2.25} />;
}
