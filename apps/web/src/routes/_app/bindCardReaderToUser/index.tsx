import { createFileRoute, redirect } from "@tanstack/react-router";

const READERS: string = "/bindCardReaderToUser/cardReaderAndUserList";

export const Route = createFileRoute("/_app/bindCardReaderToUser/")({
  beforeLoad: () => {
    throw redirect({ to: READERS, replace: true });
  },
});
