import { ChevronLeft, ChevronRight, Ellipsis } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { type Button, buttonVariants } from "./button.tsx";

export function Pagination({ className, ...props }: ComponentProps<"nav">) {
  return (
    <nav
      data-slot="pagination"
      aria-label={t("common.pages")}
      className={cn("flex w-full justify-center", className)}
      {...props}
    />
  );
}

export function PaginationContent({ className, ...props }: ComponentProps<"ul">) {
  return <ul data-slot="pagination-content" className={cn("flex items-center gap-1", className)} {...props} />;
}

export function PaginationItem(props: ComponentProps<"li">) {
  return <li data-slot="pagination-item" {...props} />;
}

type PaginationLinkProps = ComponentProps<"a"> & Pick<ComponentProps<typeof Button>, "size"> & { isActive?: boolean };

export function PaginationLink({ className, isActive, size = "icon", ...props }: PaginationLinkProps) {
  return (
    <a
      data-slot="pagination-link"
      data-active={isActive}
      aria-current={isActive ? "page" : undefined}
      className={cn(buttonVariants({ variant: isActive ? "outline" : "ghost", size }), className)}
      {...props}
    />
  );
}

export function PaginationPrevious(props: PaginationLinkProps) {
  return (
    <PaginationLink aria-label={t("common.previousPage")} {...props}>
      <ChevronLeft className="flip-rtl" aria-hidden />
    </PaginationLink>
  );
}

export function PaginationNext(props: PaginationLinkProps) {
  return (
    <PaginationLink aria-label={t("common.nextPage")} {...props}>
      <ChevronRight className="flip-rtl" aria-hidden />
    </PaginationLink>
  );
}

export function PaginationEllipsis({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      data-slot="pagination-ellipsis"
      aria-hidden
      className={cn("grid size-9 place-items-center", className)}
      {...props}
    >
      <Ellipsis className="size-4" />
    </span>
  );
}
