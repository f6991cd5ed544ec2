import { Check, ChevronDown, ChevronUp } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { floatStyle, itemStyle, pickerStyle } from "../styles.ts";

export function Select(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="select" {...props} />;
}

export function SelectGroup(props: ComponentProps<typeof Radix.Group>) {
  return <Radix.Group data-slot="select-group" {...props} />;
}

export function SelectValue(props: ComponentProps<typeof Radix.Value>) {
  return <Radix.Value data-slot="select-value" {...props} />;
}

type SelectTriggerProps = ComponentProps<typeof Radix.Trigger> & { size?: "sm" | "default" };

export function SelectTrigger({ className, size = "default", children, ...props }: SelectTriggerProps) {
  return (
    <Radix.Trigger
      data-slot="select-trigger"
      data-size={size}
      className={cn(
        pickerStyle,
        "w-fit data-placeholder:text-faint-foreground [&>span]:truncate",
        size === "sm" && "h-8 text-sm lg:h-8 lg:text-sm",
        className,
      )}
      {...props}
    >
      {children}
      <Radix.Icon>
        <ChevronDown className="size-4 text-muted-foreground" />
      </Radix.Icon>
    </Radix.Trigger>
  );
}

export function SelectContent({ className, children, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="select-content"
        sideOffset={4}
        className={cn(
          floatStyle,
          "z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden p-1",
          className,
        )}
        {...props}
      >
        <SelectScrollUpButton />
        <Radix.Viewport>{children}</Radix.Viewport>
        <SelectScrollDownButton />
      </Radix.Content>
    </Radix.Portal>
  );
}

export function SelectLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  return (
    <Radix.Label
      data-slot="select-label"
      className={cn("px-2 pt-2 pb-1 text-xs font-medium text-muted-foreground", className)}
      {...props}
    />
  );
}

export function SelectItem({ className, children, ...props }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item data-slot="select-item" className={cn(itemStyle, "pe-8", className)} {...props}>
      <Radix.ItemText>{children}</Radix.ItemText>
      <Radix.ItemIndicator className="absolute end-2">
        <Check className="text-brass-ink" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.Item>
  );
}

export function SelectSeparator({ className, ...props }: ComponentProps<typeof Radix.Separator>) {
  return (
    <Radix.Separator data-slot="select-separator" className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />
  );
}

export function SelectScrollUpButton({ className, ...props }: ComponentProps<typeof Radix.ScrollUpButton>) {
  return (
    <Radix.ScrollUpButton
      data-slot="select-scroll-up-button"
      className={cn("flex justify-center py-1", className)}
      {...props}
    >
      <ChevronUp className="size-4" />
    </Radix.ScrollUpButton>
  );
}

export function SelectScrollDownButton({ className, ...props }: ComponentProps<typeof Radix.ScrollDownButton>) {
  return (
    <Radix.ScrollDownButton
      data-slot="select-scroll-down-button"
      className={cn("flex justify-center py-1", className)}
      {...props}
    >
      <ChevronDown className="size-4" />
    </Radix.ScrollDownButton>
  );
}
