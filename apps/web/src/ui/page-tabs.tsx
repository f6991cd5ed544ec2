import { type ReactNode, useEffect, useRef } from "react";
import { Tabs, TabsList, TabsTrigger } from "./primitives/tabs.tsx";

type PageTab<Value extends string> = { value: Value; label: ReactNode; count?: number; hidden?: boolean };

type PageTabsProps<Value extends string> = {
  tabs: readonly PageTab<Value>[];
  /** Comes from the URL: `Route.useSearch().tab`. */
  value: Value;
  /** Writes to the URL: `navigate({ search: (s) => ({ ...s, tab }), replace: true })`. */
  onChange: (value: Value) => void;
  label: string;
  className?: string;
  /** A TabsContent for each tab. */
  children: ReactNode;
};

export function PageTabs<Value extends string>(props: PageTabsProps<Value>) {
  const { tabs, value, onChange, label, className, children } = props;
  const list = useRef<HTMLDivElement>(null);

  // On a phone the current tab may lie outside the row.
  useEffect(() => {
    const box = list.current;
    const tab = value && box?.querySelector("[data-state=active]");
    if (!box || !tab) return;
    const [frame, own] = [box.getBoundingClientRect(), tab.getBoundingClientRect()];
    box.scrollLeft += Math.min(0, own.left - frame.left) + Math.max(0, own.right - frame.right);
  }, [value]);

  // Manual activation, because a tab must not open when it only gets the focus back after the question about unsaved
  // changes.
  return (
    <Tabs value={value} activationMode="manual" onValueChange={(next) => onChange(next as Value)} className={className}>
      <TabsList ref={list} variant="line" aria-label={label}>
        {tabs
          .filter((tab) => !tab.hidden)
          .map((tab) => (
            <TabsTrigger key={tab.value} value={tab.value}>
              {tab.label}
              {tab.count !== undefined && (
                <span className="text-sm font-normal text-muted-foreground">{tab.count}</span>
              )}
            </TabsTrigger>
          ))}
      </TabsList>
      {children}
    </Tabs>
  );
}
