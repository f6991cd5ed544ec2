import { createFileRoute, redirect } from "@tanstack/react-router";
import { z } from "zod";
import { GuestDetailPage } from "@/features/guests/detail/guest-detail-page.tsx";

/** The names are the old console's: cards and other systems link here. */
const search = z.object({
  id: z.coerce.number().int().positive().optional().catch(undefined),
  other_information: z
    .union([z.string().max(1000), z.number().transform(String)])
    .optional()
    .catch(undefined),
});

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
  return id !== undefined && <GuestDetailPage key={id} manageId={id} otherInformation={otherInformation} />;
}
