import type { Capability } from "@innkey/shared/capabilities";
import { LISTS } from "@innkey/shared/lists";
import { useQuery } from "@tanstack/react-query";
import { type TextKey, textOf, useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";

/** Returns the titles of the pages that a capability opens. */
export type PagesOf = (capability: Capability) => readonly TextKey[];

/** Says what a permission opens: pages by the menu, acts by the server's calls, and exports by the lists. */
export function OpenedBy({ capability, pagesOf }: { capability: Capability; pagesOf: PagesOf }) {
  const { t } = useTranslation();
  const { data } = useQuery(trpc.permissions.acts.queryOptions());
  if (!data) return null;
  const acts = data.find((one) => one.capability === capability)?.acts ?? [];
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
