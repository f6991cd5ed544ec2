import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { language } from "@/lib/i18n.ts";
import { floatOffsets, floatStyle } from "./overlay-style.ts";
import { useLostAct } from "./server-act.ts";

/** Not modal: hiding the page from screen readers would leave focusable elements in a hidden tree. */
export function DropdownMenu(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root modal={false} dir={language.dir} {...props} />;
}

export const DropdownMenuTrigger = Radix.Trigger;
export const DropdownMenuRadioGroup = Radix.RadioGroup;

const itemStyle =
  "relative flex min-h-8 items-center gap-2.5 rounded-sm px-2 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";

export function DropdownMenuContent({ className, align = "end", ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align={align}
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

/** A menu item that can't be chosen while the server is away. Set `needsServer={false}` on items that only navigate. */
export function DropdownMenuItem({
  className,
  icon: Icon,
  danger,
  needsServer = true,
  children,
  ...props
}: ComponentProps<typeof Radix.Item> & { icon?: LucideIcon; danger?: boolean; needsServer?: boolean }) {
  const lost = useLostAct(needsServer);
  return (
    <Radix.Item
      className={cn(itemStyle, danger && "text-danger data-highlighted:bg-danger-soft", className)}
      {...props}
      {...(lost && { disabled: true, ...lost })}
    >
      {Icon && <Icon aria-hidden className={danger ? "" : "text-muted-foreground"} />}
      {children}
    </Radix.Item>
  );
}

export function DropdownMenuRadioItem({
  className,
  needsServer = false,
  children,
  ...props
}: ComponentProps<typeof Radix.RadioItem> & { needsServer?: boolean }) {
  const lost = useLostAct(needsServer);
  return (
    <Radix.RadioItem className={cn(itemStyle, "pe-8", className)} {...props} {...(lost && { disabled: true, ...lost })}>
      {children}
      <Radix.ItemIndicator className="absolute end-2">
        <Check className="text-brass-ink" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem className={cn(itemStyle, "pe-8", className)} {...props}>
      {children}
      <Radix.ItemIndicator className="absolute end-2">
        <Check className="text-brass-ink" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-xs font-medium text-muted-foreground">{children}</Radix.Label>;
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-border" />;
}
