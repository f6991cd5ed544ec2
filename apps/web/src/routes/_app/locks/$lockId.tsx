import { createFileRoute, redirect } from "@tanstack/react-router";
import { whole } from "@/lib/search-params.ts";
import { LockScreen } from "@/pages/lock-screen.tsx";

const lockIdOf = whole();

export const Route = createFileRoute("/_app/locks/$lockId")({
  staticData: { titleKey: "room.lock", trail: [{ to: "/locks", titleKey: "nav.locks" }] },
  params: {
    parse: ({ lockId }) => ({ lockId: lockIdOf.parse(lockId) ?? 0 }),
    stringify: ({ lockId }) => ({ lockId: String(lockId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.lockId === 0) throw redirect({ to: "/404", replace: true });
  },
  component: Lock,
});

function Lock() {
  const { lockId } = Route.useParams();
  return <LockScreen key={lockId} lockId={lockId} />;
}
