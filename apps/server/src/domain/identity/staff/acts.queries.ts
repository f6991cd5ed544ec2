import type { Capability } from "@innkey/shared/capabilities";
import type { OpenedActs } from "@innkey/shared/schemas/identity/staff";
import type { Scope } from "../../../kernel/scope.ts";

/** A way in: the capabilities it needs one of, and the name of its act. */
interface WayIn {
  capability: Capability | readonly Capability[];
  act?: string | undefined;
}

/** Returns the acts that each capability opens, each once. @throws no_permission */
export function listActs(scope: Scope, waysIn: readonly (WayIn | undefined)[]): OpenedActs {
  scope.require("staff.view");
  const acts = new Map<Capability, Set<string>>();
  for (const { capability, act } of waysIn.filter((one) => one !== undefined)) {
    if (act === undefined) continue;
    for (const name of [capability].flat()) acts.set(name, (acts.get(name) ?? new Set()).add(act));
  }
  return [...acts].map(([capability, names]) => ({ capability, acts: [...names] }));
}
