import { useQuery } from "@tanstack/react-query";
import { setHandOverOpen } from "@/lib/commands/hand-over-sheet.ts";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { NoteList } from "./note-list.tsx";

const MAX_SHOWN = 5;

/** The open hand-over notes on the page of today. They count as read once they were opened. */
export function HandOverCard() {
  const { data } = useQuery(trpc.handOver.list.queryOptions());
  if (!data) return null;
  const { open } = data;
  const newIds = new Set(open.filter(({ unread }) => unread).map(({ id }) => id));
  return (
    <Card>
      <CardHeading
        title={t("handOver.title")}
        description={open.length === 0 ? t("handOver.none") : undefined}
        actions={
          <Button variant="outline" size="sm" onClick={() => setHandOverOpen(true)}>
            {t("handOver.all")}
          </Button>
        }
      />
      {open.length > 0 && <NoteList notes={open.slice(0, MAX_SHOWN)} newIds={newIds} className="border-t" />}
    </Card>
  );
}
