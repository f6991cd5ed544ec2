import { useMatches } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { type TextKey, t } from "./i18n.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Document title and last breadcrumb. */
    titleKey?: TextKey;
    /** The breadcrumbs before it. */
    trail?: readonly { to: string; titleKey: TextKey }[];
  }
}

let name: string | null = null;
const listeners = new Set<() => void>();

function setName(next: string | null): void {
  name = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the name of the page's subject ("Room 301") in the title and the breadcrumb, in place of the route's title. */
export function usePageName(next: string | undefined): void {
  useEffect(() => {
    setName(next ?? null);
    return () => setName(null);
  }, [next]);
}

export type Crumb = { label: string; to?: string };

export function useCrumbs(): Crumb[] {
  const pageName = useSyncExternalStore(subscribe, () => name);
  const data = useMatches({ select: (matches) => matches.findLast((match) => match.staticData.titleKey)?.staticData });
  if (!data?.titleKey) return [];
  const trail = (data.trail ?? []).map((crumb) => ({ label: t(crumb.titleKey), to: crumb.to }));
  return [...trail, { label: pageName ?? t(data.titleKey) }];
}

export function useDocumentTitle(): void {
  const last = useCrumbs().at(-1)?.label;
  const site = t("common.siteName");
  useEffect(() => {
    document.title = last ? `${last} · ${site}` : site;
  }, [last, site]);
}
