import { cva, type VariantProps } from "class-variance-authority";
import { Tabs as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export function Tabs({ className, orientation = "horizontal", ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="tabs"
      orientation={orientation}
      className={cn("group/tabs", orientation === "vertical" && "flex gap-5", className)}
      {...props}
    />
  );
}

export const tabsListVariants = cva(
  "group/tabs-list flex text-muted-foreground group-data-[orientation=vertical]/tabs:flex-col",
  {
    variants: {
      variant: {
        default: "w-fit gap-0.5 rounded-md border border-border bg-sunken p-0.5",
        line: "scroll-quiet gap-5 group-data-[orientation=horizontal]/tabs:overflow-x-auto group-data-[orientation=horizontal]/tabs:border-b",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

type TabsListProps = ComponentProps<typeof Radix.List> & VariantProps<typeof tabsListVariants>;

export function TabsList({ className, variant = "default", ...props }: TabsListProps) {
  return (
    <Radix.List
      data-slot="tabs-list"
      data-variant={variant}
      className={cn(tabsListVariants({ variant }), className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      data-slot="tabs-trigger"
      className={cn(
        "flex items-center gap-1.5 font-medium whitespace-nowrap hover:text-foreground disabled:opacity-50 data-[state=active]:text-foreground",
        "group-data-[variant=default]/tabs-list:h-8 group-data-[variant=default]/tabs-list:rounded-[5px] group-data-[variant=default]/tabs-list:px-2.5 group-data-[variant=default]/tabs-list:data-[state=active]:bg-card group-data-[variant=default]/tabs-list:data-[state=active]:shadow-card",
        "group-data-[variant=line]/tabs-list:-mb-px group-data-[variant=line]/tabs-list:h-10 group-data-[variant=line]/tabs-list:border-b-2 group-data-[variant=line]/tabs-list:border-transparent group-data-[variant=line]/tabs-list:focus-visible:-outline-offset-2 group-data-[variant=line]/tabs-list:data-[state=active]:border-brass",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Content
      data-slot="tabs-content"
      className={cn("min-w-0 flex-1 pt-5 outline-none focus-visible:outline-2", className)}
      {...props}
    />
  );
}
