import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { useLostAct } from "./server-act.ts";

const ACTS: ReadonlySet<string> = new Set(["primary", "danger", "dangerQuiet"]);

export const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none",
    "transition-[background-color,border-color,color,box-shadow] active:translate-y-px",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50",
    "[&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        primary:
          "bg-primary text-primary-foreground shadow-[inset_0_1px_0_rgb(255_255_255/0.28),0_1px_2px_rgb(var(--shadow-tint)/0.18)] hover:bg-primary-hover",
        secondary: "border border-border bg-card text-foreground shadow-card hover:border-input hover:bg-popover",
        ghost:
          "text-muted-foreground hover:bg-hover hover:text-foreground aria-expanded:bg-hover aria-expanded:text-foreground",
        danger: "bg-destructive text-destructive-foreground hover:brightness-95",
        dangerQuiet: "text-danger hover:bg-danger-soft",
        link: "h-auto! rounded-sm px-0! text-brass-ink underline decoration-1 underline-offset-4 hover:decoration-2",
      },
      size: {
        sm: "h-8 px-3 text-sm",
        md: "h-9 px-4 text-base",
        lg: "h-11 px-5 text-base",
        icon: "size-9",
        iconSm: "size-8",
      },
      wide: { true: "w-full" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    asChild?: boolean;
    /**
     * Whether the button is disabled while the server is away, with the reason. Submit buttons, buttons that can be
     * pending and primary buttons need the server by default. Set it on other buttons that act, and set `false` on
     * those that don't need the server.
     */
    needsServer?: boolean;
    /** Shows a spinner and ignores clicks; width and focus stay. */
    pending?: boolean;
  };

type Looks = Pick<ButtonProps, "needsServer" | "asChild" | "type" | "pending" | "variant">;

export function isServerAct({ needsServer, asChild, type, pending, variant }: Looks): boolean {
  if (needsServer !== undefined) return needsServer;
  return !asChild && (type === "submit" || pending !== undefined || (variant != null && ACTS.has(variant)));
}

export function Button({
  className,
  variant,
  size,
  wide,
  asChild,
  pending,
  children,
  type,
  onClick,
  title,
  needsServer,
  ...props
}: ButtonProps) {
  const lost = useLostAct(isServerAct({ needsServer, asChild, type, pending, variant }));
  const Part = asChild ? Slot.Root : "button";
  return (
    <Part
      type={asChild ? type : (type ?? "button")}
      className={cn(
        buttonVariants({ variant, size, wide }),
        className,
        lost && "pointer-events-auto! cursor-not-allowed",
      )}
      aria-disabled={pending || lost !== null || undefined}
      aria-busy={pending || undefined}
      onClick={pending || lost ? (event) => event.preventDefault() : onClick}
      title={title}
      {...props}
      {...lost}
    >
      {asChild ? (
        children
      ) : pending ? (
        <>
          <span className="absolute inset-0 flex items-center justify-center">
            <LoaderCircle className="size-4 animate-spin motion-reduce:animate-none" aria-hidden />
          </span>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </Part>
  );
}
