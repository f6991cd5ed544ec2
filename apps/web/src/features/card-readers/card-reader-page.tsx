import { useDeskReader } from "@/entities/card-reader/card-reader.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { BlockTool } from "./block-tool.tsx";
import { ConnectionChip, ReaderChoice, ReaderPanel } from "./card-reader-panel.tsx";

import type { ReaderTab } from "./card-reader-search.ts";

type ReaderPageProps = { tab: ReaderTab; onTab: (tab: ReaderTab) => void };

/** All tools for the reader on this desk. */
export function ReaderPage({ tab, onTab }: ReaderPageProps) {
  const { t } = useTranslation();
  const { source } = useDeskReader();
  return (
    <>
      <PageHeader
        title={t("reader.title")}
        description={t("reader.text")}
        status={(tab === "block" || source === "service") && <ConnectionChip />}
      />
      <PageTabs
        label={t("reader.title")}
        value={tab}
        onChange={onTab}
        tabs={[
          { value: "card", label: t("reader.read") },
          { value: "block", label: t("reader.block.title") },
        ]}
      >
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,42rem)_20rem]">
          <div>
            <TabsContent value="card">
              <ReaderPanel />
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
