import { createFileRoute, redirect } from "@tanstack/react-router";

const READERS: string = "/bindCardReaderToUser/cardReaderAndUserList";

export const Route = createFileRoute("/_app/bindCardReaderToUser/")({
  beforeLoad: ({ search }) => {
    throw redirect({ to: READERS, search, replace: true });
  },
});
