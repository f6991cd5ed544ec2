import { createFileRoute } from "@tanstack/react-router";
import { OutboxPage } from "@/features/messaging/outbox/outbox-page.tsx";

export const Route = createFileRoute("/_app/outbox")({ staticData: { titleKey: "nav.outbox" }, component: OutboxPage });
