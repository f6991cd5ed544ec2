import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { useMutation } from "@tanstack/react-query";
import { Hash } from "lucide-react";
import { CodeDigits } from "@/features/passcodes/use-passcode-acts.tsx";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";

/** A door code made with one click: for the whole stay, or, while the lock can't be reached, one that opens once. */
export function useQuickCode({ stayId, room, door, guests }: StayKeys) {
  const mayIssue = useCan()("passcodes.issue") && door !== null;
  const create = useMutation(trpc.passcodes.create.mutationOptions({ gcTime: 0 }));
  const opensOnce = door?.computesCodes === true && !door.online;
  return {
    mayIssue,
    opensOnce,
    pending: create.isPending,
    code: create.data?.code,
    make(): void {
      const [guest] = guests;
      const holder = { holderId: guest?.stayGuestId ?? null, person: guest?.name ?? room.name };
      create.mutate({ type: opensOnce ? "one_time" : "air", stayId, roomIds: [room.id], ...holder });
    },
  };
}

export type QuickCode = ReturnType<typeof useQuickCode>;

export function QuickCodeButton({ code }: { code: QuickCode }) {
  if (!code.mayIssue || code.code !== undefined) return null;
  return (
    <ActionButton variant="outline" size="sm" pending={code.pending} onClick={code.make}>
      <Hash aria-hidden />
      {code.opensOnce ? t("keys.codeOnce") : t("keys.code")}
    </ActionButton>
  );
}

/** Shows the code that was just made. */
export function QuickCodeResult({ code }: { code: QuickCode }) {
  if (code.code === undefined) return null;
  return (
    <Callout tone="success" title={code.opensOnce ? t("keys.codeOnceTitle") : t("keys.codeTitle")}>
      <div className="py-2">
        <CodeDigits code={code.code} />
      </div>
      <p>{code.opensOnce ? t("keys.codeOnceText") : t("keys.codeText")}</p>
    </Callout>
  );
}
