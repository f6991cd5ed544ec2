import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { GrantValue } from "./grant-value.ts";
import type { OperatorRow } from "./operator-form.ts";

/** Unsaved permissions and room grants of one person. */
export interface Draft {
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
      refreshEverything();
      toast.success(t("staff.permitsSaved"));
    },
  };
}

export type PermitEdits = ReturnType<typeof usePermitEdits>;
