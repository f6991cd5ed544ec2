import { CAPABILITY_NAMES, type Capability } from "@innkey/shared/capabilities";

export type Area = Capability extends `${infer Name}.${string}` ? Name : never;

/** Capabilities by subject, in the order of the permissions page. */
export function areasOf(names: readonly Capability[] = CAPABILITY_NAMES): { area: Area; names: Capability[] }[] {
  const areas = new Map<Area, Capability[]>();
  for (const name of names) {
    const area = name.split(".")[0] as Area;
    areas.set(area, [...(areas.get(area) ?? []), name]);
  }
  return [...areas].map(([area, members]) => ({ area, names: members }));
}
