import { createFileRoute, redirect } from "@tanstack/react-router";
import { authStatus, type Me } from "@/lib/session.ts";

/** Where each start page is. Customers are the specification's. */
const ADDRESSES: Record<Me["startPage"], string> = { customers: "/customer/customer", today: "/home", board: "/room" };

export const Route = createFileRoute("/_app/")({
  beforeLoad: async ({ search }) => {
    const { session } = await authStatus();
    throw redirect({ to: ADDRESSES[session?.startPage ?? "customers"], search, replace: true });
  },
});
