import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";

/** The zones that the keys of a stay open besides its room, and those that can be added to it. */
export function StayZones({ keys }: { keys: StayKeys }) {
  const mayChange = useCan()("stays.manage");
  const save = useMutation(trpc.zones.setOfStay.mutationOptions());
  const prefix = useId();
  const { stayId, zones, state } = keys;
  if ((state !== "reserved" && state !== "checked_in") || zones.length === 0) return null;
  const added = zones.filter((zone) => zone.added).map(({ id }) => id);
  return (
    <section aria-labelledby={prefix} className="rounded-md border px-4 py-3">
      <h3 id={prefix} className="font-medium">
        {t("keys.zones")}
      </h3>
      <ul className="mt-1.5 grid gap-1.5">
        {zones.map(({ id, name, doors, opens, isExtra, added: isAdded }) => {
          const isChoice = isExtra && (isAdded || !opens);
          return (
            <li key={id} className="flex items-start gap-2.5">
              {isChoice && (
                <CheckboxInput
                  id={`${prefix}-${id}`}
                  value={isAdded}
                  disabled={!mayChange || save.isPending}
                  onChange={(on) =>
                    save.mutate({ stayId, zoneIds: on ? [...added, id] : added.filter((other) => other !== id) })
                  }
                />
              )}
              <label htmlFor={isChoice ? `${prefix}-${id}` : undefined} className="min-w-0">
                <span>{name}</span>
                {doors.join() !== name && (
                  <span className="block text-sm text-muted-foreground">{doors.join(", ") || t("zones.noDoors")}</span>
                )}
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
