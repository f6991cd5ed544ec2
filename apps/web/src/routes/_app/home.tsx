import { createFileRoute } from "@tanstack/react-router";
import { TodayPage } from "@/pages/today-page.tsx";

export const Route = createFileRoute("/_app/home")({ staticData: { titleKey: "nav.home" }, component: TodayPage });
