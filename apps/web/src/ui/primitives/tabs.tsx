import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

export type TabOption<Value extends string> = { value: Value; label: ReactNode; count?: number; hidden?: boolean };

type TabsProps<Value extends string> = {
  tabs: readonly TabOption<Value>[];
  /** Comes from the URL: `Route.useSearch().tab`. */
  value: Value;
  /** Writes to the URL: `navigate({ search: (s) => ({ ...s, tab }), replace: true })`. */
  onChange: (value: Value) => void;
  label: string;
  className?: string;
  children: ReactNode;
};

export function Tabs<Value extends string>({ tabs, value, onChange, label, className, children }: TabsProps<Value>) {
  // Manual activation: a tab that only gets the focus back, after the question whether to leave the previous one, must
  // not open.
  return (
    <Radix.Root
      value={value}
      activationMode="manual"
      onValueChange={(next) => onChange(next as Value)}
      className={className}
    >
      <Radix.List aria-label={label} className="scroll-quiet flex gap-5 overflow-x-auto border-b">
        {tabs
          .filter((tab) => !tab.hidden)
          .map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px flex h-10 items-center gap-1.5 border-b-2 border-transparent font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-brass data-[state=active]:text-foreground"
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className="text-sm font-normal text-muted-foreground">{tab.count}</span>
              )}
            </Radix.Trigger>
          ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  return (
    <Radix.Content value={value} className={cn("pt-5 outline-none focus-visible:outline-2", className)}>
      {children}
    </Radix.Content>
  );
}
