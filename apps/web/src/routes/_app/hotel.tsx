import { createFileRoute } from "@tanstack/react-router";
import { HotelScreen } from "@/features/hotel/hotel-screen.tsx";

export const Route = createFileRoute("/_app/hotel")({ staticData: { titleKey: "nav.hotel" }, component: HotelScreen });
