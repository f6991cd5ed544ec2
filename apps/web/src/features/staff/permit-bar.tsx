import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import type { GrantValue, OperatorRow } from "./operator-form.ts";

/** Unsaved permissions and room grants of one person. */
interface Draft {
  capabilities: readonly string[];
  grants: readonly GrantValue[];
}

const shape = ({ capabilities, grants }: Draft): string =>
  JSON.stringify([
    capabilities.toSorted(),
    grants
      .map(({ roomId, startsAt, endsAt }) => [roomId, startsAt ?? null, endsAt ?? null] as const)
      .toSorted((a, b) => a[0] - b[0]),
  ]);

/** Holds unsaved permission changes of several people until they are saved together or discarded. */
export function usePermitEdits() {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const permit = useMutation(trpc.staff.permit.mutationOptions());
  const draftOf = (person: OperatorRow): Draft => drafts.get(person.operatorId) ?? person;

  function change(person: OperatorRow, draft: Partial<Draft>): void {
    const next = new Map(drafts);
    const changed = { ...draftOf(person), ...draft };
    if (shape(changed) === shape(person)) next.delete(person.operatorId);
    else next.set(person.operatorId, changed);
    setDrafts(next);
  }

  const grants = new Map<number, ReadonlyMap<number, GrantValue>>();
  /** Returns a person's grants by room. The map is built once per person and render. */
  function grantsOf(person: OperatorRow): ReadonlyMap<number, GrantValue> {
    const edited = grants.get(person.operatorId);
    if (edited) return edited;
    const built = new Map(draftOf(person).grants.map((grant) => [grant.roomId, grant]));
    grants.set(person.operatorId, built);
    return built;
  }

  return {
    draftOf,
    grantsOf,
    changed: drafts.size,
    saving: permit.isPending,
    toggleCapability(person: OperatorRow, name: string, on: boolean): void {
      const { capabilities } = draftOf(person);
      change(person, { capabilities: on ? [...capabilities, name] : capabilities.filter((one) => one !== name) });
    },
    /** Adds or removes a room. Adding it again restores the period it had. */
    toggleRoom(person: OperatorRow, roomId: number, on: boolean): void {
      const { grants } = draftOf(person);
      const currentGrant = person.grants.find((grant) => grant.roomId === roomId) ?? { roomId };
      change(person, { grants: on ? [...grants, currentGrant] : grants.filter((grant) => grant.roomId !== roomId) });
    },
    discard: (): void => setDrafts(new Map()),
    async save(): Promise<void> {
      const people = [...drafts].map(([operatorId, { capabilities, grants }]) => ({
        operatorId,
        capabilities: [...capabilities],
        grants: [...grants],
      }));
      await permit.mutateAsync({ people });
      setDrafts(new Map());
      toast.success(t("staff.permitsSaved"));
    },
  };
}

type PermitEdits = ReturnType<typeof usePermitEdits>;

/** Buttons to save or discard, visible while there are unsaved changes. */
export function PermitBar({ edits }: { edits: PermitEdits }) {
  const { t } = useTranslation();
  if (edits.changed === 0) return null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center justify-end gap-2 border-t bg-background px-4 py-3 lg:mx-0 lg:px-0">
      <span aria-live="polite" className="me-auto text-sm text-muted-foreground">
        {t("staff.changed", { formatted: formatNumber(edits.changed) })}
      </span>
      <Button variant="outline" disabled={edits.saving} onClick={edits.discard}>
        {t("stay.discard")}
      </Button>
      <ActionButton pending={edits.saving} onClick={() => void edits.save().catch(() => undefined)}>
        {t("common.save")}
      </ActionButton>
    </div>
  );
}
