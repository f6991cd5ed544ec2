import { createFileRoute } from "@tanstack/react-router";
import { MessageListPage } from "@/features/messaging/alerts/message-list-page.tsx";
import { messageSearch } from "@/features/messaging/alerts/message-search.ts";

export const Route = createFileRoute("/_app/messages")({
  staticData: { titleKey: "nav.messages" },
  validateSearch: messageSearch,
  component: Messages,
});

function Messages() {
  return <MessageListPage search={Route.useSearch()} />;
}
