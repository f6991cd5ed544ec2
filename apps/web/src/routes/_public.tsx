import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "@/components/shell/public-layout.tsx";

export const Route = createFileRoute("/_public")({ component: PublicLayout });
