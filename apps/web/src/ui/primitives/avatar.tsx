import { Avatar as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

type AvatarProps = ComponentProps<typeof Radix.Root> & { size?: "default" | "sm" | "lg" };

export function Avatar({ className, size = "default", ...props }: AvatarProps) {
  return (
    <Radix.Root
      data-slot="avatar"
      data-size={size}
      className={cn(
        "group/avatar relative flex shrink-0 overflow-hidden rounded-full text-xs font-semibold select-none",
        { sm: "size-6", default: "size-8", lg: "size-10" }[size],
        className,
      )}
      {...props}
    />
  );
}

export function AvatarImage({ className, ...props }: ComponentProps<typeof Radix.Image>) {
  return <Radix.Image data-slot="avatar-image" className={cn("size-full object-cover", className)} {...props} />;
}

export function AvatarFallback({ className, ...props }: ComponentProps<typeof Radix.Fallback>) {
  return (
    <Radix.Fallback
      data-slot="avatar-fallback"
      className={cn("grid size-full place-items-center rounded-full bg-brass-soft text-brass-ink", className)}
      {...props}
    />
  );
}

export function AvatarBadge({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="avatar-badge"
      className={cn(
        "absolute end-0 bottom-0 z-10 inline-grid size-2.5 place-items-center rounded-full bg-primary text-primary-foreground ring-2 ring-background [&>svg]:size-2",
        "group-data-[size=lg]/avatar:size-3 group-data-[size=sm]/avatar:size-2 group-data-[size=sm]/avatar:[&>svg]:hidden",
        className,
      )}
      {...props}
    />
  );
}

export function AvatarGroup({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="avatar-group"
      className={cn(
        "group/avatar-group flex -space-x-2 *:data-[slot=avatar]:ring-2 *:data-[slot=avatar]:ring-background rtl:space-x-reverse",
        className,
      )}
      {...props}
    />
  );
}

export function AvatarGroupCount({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="avatar-group-count"
      className={cn(
        "relative grid size-8 shrink-0 place-items-center rounded-full bg-muted text-sm text-muted-foreground ring-2 ring-background [&>svg]:size-4",
        "group-has-data-[size=lg]/avatar-group:size-10 group-has-data-[size=sm]/avatar-group:size-6",
        className,
      )}
      {...props}
    />
  );
}
