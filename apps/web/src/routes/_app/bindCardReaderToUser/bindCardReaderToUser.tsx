import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { BindPage } from "@/features/card-readers/list/bind-page.tsx";
import { whole } from "@/lib/search-params.ts";

const READERS = "/bindCardReaderToUser/cardReaderAndUserList";
const search = z.object({ id: whole() });

export const Route = createFileRoute("/_app/bindCardReaderToUser/bindCardReaderToUser")({
  staticData: { titleKey: "nav.bindCardReader", trail: [{ to: READERS, titleKey: "nav.cardReaders" }] },
  validateSearch: search,
  beforeLoad: ({ search: { id } }) => {
    if (id === undefined) throw redirect({ to: READERS, replace: true });
  },
  component: Bind,
});

function Bind() {
  const { id } = Route.useSearch();
  return id !== undefined && <BindPage key={id} cardReaderId={id} />;
}
