import { useSyncExternalStore } from "react";

const COOKIE = "sidebarStatus";
const YEAR_SECONDS = 31_536_000;

/** Under this the sidebar is a drawer. Source: the product specification, section 9. */
const wide = matchMedia("(min-width: 992px)");
const listeners = new Set<() => void>();
let drawerOpen = false;

wide.addEventListener("change", () => {
  drawerOpen = false;
  changed();
});

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function expanded(): boolean {
  return !/(?:^|; )sidebarStatus=0(?:;|$)/.test(document.cookie);
}

export function setDrawerOpen(open: boolean): void {
  drawerOpen = open;
  changed();
}

export function toggleSidebar(): void {
  if (!wide.matches) {
    setDrawerOpen(!drawerOpen);
    return;
  }
  // The specification names this cookie; it holds a layout choice and nothing more.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${COOKIE}=${expanded() ? 0 : 1}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  changed();
}

export function useSidebar(): { expanded: boolean; drawerOpen: boolean; wide: boolean } {
  return {
    expanded: useSyncExternalStore(subscribe, expanded),
    drawerOpen: useSyncExternalStore(subscribe, () => drawerOpen),
    wide: useSyncExternalStore(subscribe, () => wide.matches),
  };
}
