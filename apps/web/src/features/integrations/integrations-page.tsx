import { useQuery } from "@tanstack/react-query";
import { BookOpen, Plus } from "lucide-react";
import { useState } from "react";
import { language, t } from "@/lib/i18n.ts";
import { send } from "@/lib/rest.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import { CalendarFeedDialog, CalendarFeedList } from "./calendar-feed-list.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { INTEGRATION_TABS, type IntegrationsSearch } from "./integrations-search.ts";
import { KeyDialog, KeyList } from "./key-list.tsx";
import { WebhookDialog, WebhookList } from "./webhook-list.tsx";

/**
 * API keys, webhooks and calendars; only for staff members with explicit authority over them (source: specification, section 6).
 */
export function IntegrationsPage({ search }: { search: IntegrationsSearch }) {
  const { apiKeyAuth } = useMe();
  const isAllowed = useCan()("integrations.manage") && apiKeyAuth;
  return isAllowed ? <Integrations search={search} /> : <NoPermission />;
}

function Integrations({ search }: { search: IntegrationsSearch }) {
  const list = useListState();
  const [newItem, setNewItem] = useState<"key" | "webhook" | "calendar" | null>(null);
  const tab = search.tab ?? "keys";
  const newKey = (
    <ActionButton onClick={() => setNewItem("key")}>
      <Plus aria-hidden />
      {t("third.newKey")}
    </ActionButton>
  );
  const newWebhook = (
    <ActionButton onClick={() => setNewItem("webhook")}>
      <Plus aria-hidden />
      {t("third.newHook")}
    </ActionButton>
  );
  const newCalendar = (
    <ActionButton onClick={() => setNewItem("calendar")}>
      <Plus aria-hidden />
      {t("calendarFeed.new")}
    </ActionButton>
  );
  const create = { keys: newKey, webhooks: newWebhook, deliveries: newWebhook, calendars: newCalendar }[tab];
  return (
    <>
      <PageHeader
        title={t("nav.thirdParty")}
        description={t("third.text")}
        actions={
          <>
            <LegacyDocsLink />
            {create}
          </>
        }
      />
      <PageTabs
        label={t("nav.thirdParty")}
        value={tab}
        onChange={(next) =>
          list.change({ tab: next === "keys" ? undefined : next, webhook: undefined, state: undefined })
        }
        tabs={INTEGRATION_TABS.map((value) => ({ value, label: t(`third.tab.${value}`) }))}
      >
        <TabsContent value="keys">
          <KeyList create={newKey} />
        </TabsContent>
        <TabsContent value="webhooks">
          <WebhookList create={newWebhook} onDeliveries={(id) => list.change({ tab: "deliveries", webhook: id })} />
        </TabsContent>
        <TabsContent value="calendars">
          <CalendarFeedList create={newCalendar} />
        </TabsContent>
        <TabsContent value="deliveries">
          <DeliveryList webhookId={search.webhook} state={search.state} create={newWebhook} />
        </TabsContent>
      </PageTabs>
      {newItem === "key" && <KeyDialog onClose={() => setNewItem(null)} />}
      {newItem === "calendar" && <CalendarFeedDialog onClose={() => setNewItem(null)} />}
      {newItem === "webhook" && <WebhookDialog webhook={null} onClose={() => setNewItem(null)} />}
    </>
  );
}

const LEGACY_DOCS_PATH = "/manage/docs";

/** Link to the documentation of the legacy calls. Only owners see it, and only where legacy clients are served. */
function LegacyDocsLink() {
  const { role } = useMe();
  const { data: isServed } = useQuery({
    queryKey: ["legacyDocs"],
    queryFn: async ({ signal }) => (await send(LEGACY_DOCS_PATH, { method: "HEAD", signal })).ok,
    enabled: role === "owner",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isServed) return null;
  return (
    <ActionButton asChild variant="ghost">
      <a href={`${LEGACY_DOCS_PATH}?language=${language.code}`} target="_blank" rel="noopener">
        <BookOpen aria-hidden className="flip-rtl" />
        {t("legacyDocs.title")}
      </a>
    </ActionButton>
  );
}
