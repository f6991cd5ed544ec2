import { Command as Cmdk, useCommandState } from "cmdk";
import { Search } from "lucide-react";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "./dialog.tsx";

export function Command({ className, ...props }: ComponentProps<typeof Cmdk>) {
  return (
    <Cmdk
      data-slot="command"
      className={cn(
        "flex w-full flex-col overflow-hidden rounded-[inherit] bg-popover text-popover-foreground",
        className,
      )}
      {...props}
    />
  );
}

type CommandDialogProps = ComponentProps<typeof Dialog> & {
  title?: string;
  description?: string;
  className?: string;
  showCloseButton?: boolean;
};

export function CommandDialog(props: CommandDialogProps) {
  const { title, description, className, showCloseButton = true, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <DialogContent
        showCloseButton={showCloseButton}
        className={cn("overflow-hidden p-0", className)}
        {...(!description && { "aria-describedby": undefined })}
      >
        <DialogHeader className="sr-only">
          <DialogTitle>{title ?? t("shell.searchOrGo")}</DialogTitle>
          {description && <DialogDescription>{description}</DialogDescription>}
        </DialogHeader>
        <Command>{children}</Command>
      </DialogContent>
    </Dialog>
  );
}

export function CommandInput({ className, ...props }: ComponentProps<typeof Cmdk.Input>) {
  return (
    <div data-slot="command-input-wrapper" className="flex items-center gap-2 border-b px-3">
      <Search className="size-4 shrink-0 text-faint-foreground" aria-hidden />
      <Cmdk.Input
        data-slot="command-input"
        className={cn("h-11 w-full bg-transparent text-lg outline-none lg:text-base", className)}
        {...props}
      />
    </div>
  );
}

/** Scrolls to the top, where the best match is, when the search text changes. */
export function CommandList({ className, ...props }: ComponentProps<typeof Cmdk.List>) {
  const list = useRef<HTMLDivElement>(null);
  const typed = useCommandState((state) => state.search);
  useLayoutEffect(() => {
    if (typed !== "") list.current?.scrollTo(0, 0);
  }, [typed]);
  return (
    <Cmdk.List
      ref={list}
      data-slot="command-list"
      className={cn("scroll-quiet max-h-80 overflow-y-auto p-1", className)}
      {...props}
    />
  );
}

export function CommandEmpty({ className, ...props }: ComponentProps<typeof Cmdk.Empty>) {
  return (
    <Cmdk.Empty
      data-slot="command-empty"
      className={cn("px-3 py-8 text-center text-muted-foreground", className)}
      {...props}
    />
  );
}

export function CommandGroup({ className, ...props }: ComponentProps<typeof Cmdk.Group>) {
  return (
    <Cmdk.Group
      data-slot="command-group"
      className={cn(
        "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}

export function CommandSeparator({ className, ...props }: ComponentProps<typeof Cmdk.Separator>) {
  return <Cmdk.Separator data-slot="command-separator" className={cn("-mx-1 h-px bg-border", className)} {...props} />;
}

export function CommandItem({ className, ...props }: ComponentProps<typeof Cmdk.Item>) {
  return (
    <Cmdk.Item
      data-slot="command-item"
      className={cn(
        "flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2 py-1.5 select-none data-[disabled=true]:opacity-50 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}

export function CommandShortcut({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="command-shortcut"
      className={cn("ms-auto text-xs tracking-widest text-muted-foreground", className)}
      {...props}
    />
  );
}
