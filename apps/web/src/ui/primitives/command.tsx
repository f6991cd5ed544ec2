import { Command as Cmdk, useCommandState } from "cmdk";
import { Search } from "lucide-react";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { matchScore } from "@/lib/commands/palette-search.ts";
import { useLostAct } from "./server-act.ts";

/**
 * Options are matched by what people read, the first keyword and those after it. An id would be matched too: "101"
 * would find the room with the id 10.
 */
const matchByText: ComponentProps<typeof Cmdk>["filter"] = (_id, typed, [label = "", ...more] = []) =>
  matchScore(typed, label, more);

export function Command({ className, ...props }: ComponentProps<typeof Cmdk>) {
  return (
    <Cmdk
      loop
      filter={matchByText}
      className={cn("flex w-full flex-col overflow-hidden text-popover-foreground", className)}
      {...props}
    />
  );
}

export function CommandInput({ className, ...props }: ComponentProps<typeof Cmdk.Input>) {
  return (
    <div className="flex items-center gap-2 border-b px-3">
      <Search className="size-4 shrink-0 text-faint-foreground" aria-hidden />
      <Cmdk.Input
        className={cn("h-11 w-full bg-transparent text-lg outline-none lg:text-base", className)}
        {...props}
      />
    </div>
  );
}

/** Scrolls to the best match, wherever the list was before. */
export function CommandList({ className, ...props }: ComponentProps<typeof Cmdk.List>) {
  const list = useRef<HTMLDivElement>(null);
  const typed = useCommandState((state) => state.search);
  useLayoutEffect(() => {
    if (typed !== "") list.current?.scrollTo(0, 0);
  }, [typed]);
  return <Cmdk.List ref={list} className={cn("scroll-quiet max-h-80 overflow-y-auto p-1", className)} {...props} />;
}

export function CommandEmpty(props: ComponentProps<typeof Cmdk.Empty>) {
  return <Cmdk.Empty className="px-3 py-8 text-center text-muted-foreground" {...props} />;
}

export function CommandGroup({ className, ...props }: ComponentProps<typeof Cmdk.Group>) {
  return (
    <Cmdk.Group
      className={cn(
        "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}

export function CommandItem({
  className,
  needsServer = false,
  ...props
}: ComponentProps<typeof Cmdk.Item> & { needsServer?: boolean }) {
  const lost = useLostAct(needsServer);
  return (
    <Cmdk.Item
      className={cn(
        "flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2 py-1.5 select-none data-[disabled=true]:opacity-50 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground",
        className,
      )}
      {...props}
      {...(lost && { disabled: true, ...lost })}
    />
  );
}
