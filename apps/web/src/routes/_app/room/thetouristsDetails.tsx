import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { anyText, whole } from "@/lib/search-params.ts";
import { GuestDetailPage } from "@/pages/guest-detail-page.tsx";

/** The address is the old console's, because cards and other systems link to it. */
const search = z.object({ id: whole(), other_information: anyText(1000) });

export const Route = createFileRoute("/_app/room/thetouristsDetails")({
  staticData: { titleKey: "guest.detail", trail: [{ to: "/guests", titleKey: "nav.guests" }] },
  validateSearch: search,
  beforeLoad: ({ search: { id } }) => {
    if (id === undefined) throw redirect({ to: "/guests", replace: true });
  },
  component: GuestDetail,
});

function GuestDetail() {
  const { id, other_information: otherInformation } = Route.useSearch();
  return id !== undefined && <GuestDetailPage key={id} stayGuestId={id} otherInformation={otherInformation} />;
}
