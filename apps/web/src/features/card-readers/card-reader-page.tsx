import { useReaderSettings } from "@/entities/card-reader/card-reader.ts";
import { t } from "@/lib/i18n.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { BlockTool } from "./block-tool.tsx";
import { CardReaderPanel, ConnectionChip, ReaderChoice } from "./card-reader-panel.tsx";
import type { ReaderTab } from "./card-reader-search.ts";

type CardReaderPageProps = { tab: ReaderTab; onTab: (tab: ReaderTab) => void };

/** All tools for the card reader at this desk. */
export function CardReaderPage({ tab, onTab }: CardReaderPageProps) {
  const { source } = useReaderSettings();
  return (
    <>
      <PageHeader
        title={t("nav.cardReader")}
        description={t("reader.text")}
        status={(tab === "block" || source === "service") && <ConnectionChip />}
      />
      <PageTabs
        label={t("nav.cardReader")}
        value={tab}
        onChange={onTab}
        tabs={[
          { value: "card", label: t("shell.readCard") },
          { value: "block", label: t("reader.block.title") },
        ]}
      >
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div>
            <TabsContent value="card">
              <CardReaderPanel />
            </TabsContent>
            <TabsContent value="block">
              <BlockTool />
            </TabsContent>
          </div>
          <Card className="lg:mt-5">
            <CardHeading title={t("reader.which")} description={t("reader.whichText")} />
            <CardContent>
              <ReaderChoice numbersToo={tab === "card"} />
            </CardContent>
          </Card>
        </div>
      </PageTabs>
    </>
  );
}
