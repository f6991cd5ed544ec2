import { Link, type LinkProps } from "@tanstack/react-router";
import { t } from "@/lib/i18n.ts";
import { Button } from "./primitives/button.tsx";

type Subject = "room" | "guest" | "lock" | "customer" | "stay";

/** What a page says whose address names nothing, with the way back: for the `missing` of ErrorState. */
export function missingSubject(subject: Subject, to: LinkProps["to"], list: string) {
  return {
    title: t(`shell.missing.${subject}`),
    action: (
      <Button variant="outline" asChild>
        <Link to={to}>{t("shell.backTo", { page: list })}</Link>
      </Button>
    ),
  };
}
