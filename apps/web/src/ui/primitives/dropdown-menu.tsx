import { Check, ChevronRight } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { language } from "@/lib/i18n.ts";
import { floatOffsets, floatStyle, itemStyle } from "../styles.ts";

/** Not modal: hiding the page from screen readers would leave focusable elements in a hidden tree. */
export function DropdownMenu(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="dropdown-menu" modal={false} dir={language.dir} {...props} />;
}

export function DropdownMenuPortal(props: ComponentProps<typeof Radix.Portal>) {
  return <Radix.Portal data-slot="dropdown-menu-portal" {...props} />;
}

export function DropdownMenuTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger data-slot="dropdown-menu-trigger" {...props} />;
}

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="dropdown-menu-content"
        {...floatOffsets}
        className={cn(
          floatStyle,
          "scroll-quiet z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto p-1",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function DropdownMenuGroup(props: ComponentProps<typeof Radix.Group>) {
  return <Radix.Group data-slot="dropdown-menu-group" {...props} />;
}

type DropdownMenuItemProps = ComponentProps<typeof Radix.Item> & {
  inset?: boolean;
  variant?: "default" | "destructive";
};

/** For an item that changes something on the server use ActionMenuItem. */
export function DropdownMenuItem({ className, inset, variant = "default", ...props }: DropdownMenuItemProps) {
  return (
    <Radix.Item
      data-slot="dropdown-menu-item"
      data-inset={inset}
      data-variant={variant}
      className={cn(
        itemStyle,
        variant === "destructive"
          ? "text-danger data-highlighted:bg-danger-soft"
          : "[&_svg:not([class*='text-'])]:text-muted-foreground",
        inset && "ps-8",
        className,
      )}
      {...props}
    />
  );
}

const chosenMark = (
  <Radix.ItemIndicator className="absolute end-2">
    <Check className="text-brass-ink" aria-hidden />
  </Radix.ItemIndicator>
);

export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem data-slot="dropdown-menu-checkbox-item" className={cn(itemStyle, "pe-8", className)} {...props}>
      {children}
      {chosenMark}
    </Radix.CheckboxItem>
  );
}

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Radix.RadioGroup>) {
  return <Radix.RadioGroup data-slot="dropdown-menu-radio-group" {...props} />;
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem data-slot="dropdown-menu-radio-item" className={cn(itemStyle, "pe-8", className)} {...props}>
      {children}
      {chosenMark}
    </Radix.RadioItem>
  );
}

export function DropdownMenuLabel({
  className,
  inset,
  ...props
}: ComponentProps<typeof Radix.Label> & { inset?: boolean }) {
  return (
    <Radix.Label
      data-slot="dropdown-menu-label"
      data-inset={inset}
      className={cn("px-2 pt-2 pb-1 text-xs font-medium text-muted-foreground", inset && "ps-8", className)}
      {...props}
    />
  );
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Radix.Separator>) {
  return (
    <Radix.Separator
      data-slot="dropdown-menu-separator"
      className={cn("-mx-1 my-1 h-px bg-border", className)}
      {...props}
    />
  );
}

export function DropdownMenuShortcut({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="dropdown-menu-shortcut"
      className={cn("ms-auto text-xs tracking-widest text-muted-foreground", className)}
      {...props}
    />
  );
}

export function DropdownMenuSub(props: ComponentProps<typeof Radix.Sub>) {
  return <Radix.Sub data-slot="dropdown-menu-sub" {...props} />;
}

export function DropdownMenuSubTrigger({
  className,
  inset,
  children,
  ...props
}: ComponentProps<typeof Radix.SubTrigger> & { inset?: boolean }) {
  return (
    <Radix.SubTrigger
      data-slot="dropdown-menu-sub-trigger"
      data-inset={inset}
      className={cn(itemStyle, "data-[state=open]:bg-hover", inset && "ps-8", className)}
      {...props}
    >
      {children}
      <ChevronRight className="flip-rtl ms-auto" aria-hidden />
    </Radix.SubTrigger>
  );
}

export function DropdownMenuSubContent({ className, ...props }: ComponentProps<typeof Radix.SubContent>) {
  return (
    <Radix.SubContent
      data-slot="dropdown-menu-sub-content"
      className={cn(floatStyle, "z-50 min-w-48 overflow-hidden p-1", className)}
      {...props}
    />
  );
}
