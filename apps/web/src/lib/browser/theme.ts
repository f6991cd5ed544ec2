import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "./stored.ts";

export type Theme = "light" | "dark" | "system";

const THEME_KEY = "theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function read(): Theme {
  const stored = readStored(THEME_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function apply(): void {
  const theme = read();
  const dark = theme === "dark" || (theme === "system" && systemDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute("content", dark ? "#13100d" : "#f7f5f1");
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  systemDark.addEventListener("change", apply);
  apply();
}

export function setTheme(theme: Theme): void {
  writeStored(THEME_KEY, theme === "system" ? null : theme);
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): { theme: Theme; dark: boolean } {
  const theme = useSyncExternalStore(subscribe, read);
  const dark = useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === "dark");
  return { theme, dark };
}
