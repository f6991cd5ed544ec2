import { useQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { language, useTranslation } from "@/lib/i18n.ts";
import { send } from "@/lib/rest.ts";
import { useMe } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";

const PAGE = "/manage/docs";

/** To the documentation of old clients' calls: an owner's to read, and there only where those clients are served. */
export function LegacyDocsLink() {
  const { t } = useTranslation();
  const { role } = useMe();
  const { data: served } = useQuery({
    queryKey: ["legacyDocs"],
    queryFn: async ({ signal }) => (await send(PAGE, { method: "HEAD", signal })).ok,
    enabled: role === "owner",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!served) return null;
  return (
    <Button asChild variant="ghost" needsServer>
      <a href={`${PAGE}?language=${language.code}`} target="_blank" rel="noopener">
        <BookOpen aria-hidden className="flip-rtl" />
        {t("legacyDocs.title")}
      </a>
    </Button>
  );
}
