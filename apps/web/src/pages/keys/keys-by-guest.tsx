import type { StayKey, StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { useMutation } from "@tanstack/react-query";
import { Nfc } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { KeyLine } from "./key-line.tsx";
import type { KeyWriting } from "./use-key-writing.ts";

type KeysByGuestProps = { keys: StayKeys; writing: KeyWriting; canWrite: boolean };

/** Lists the keys of a stay by guest. While the party is here, another card can be written for each of them. */
export function KeysByGuest({ keys, writing, canWrite }: KeysByGuestProps) {
  const waive = useMutation(trpc.cards.waiveRewrite.mutationOptions());
  const groups = [
    ...keys.guests.map(({ stayGuestId, name }) => ({ id: stayGuestId as number | null, name })),
    { id: null, name: t("keys.others") },
  ];

  function actionsOf({ id, state, stayGuestId }: StayKey, name: string): ReactNode {
    if (state !== "rewrite" || !canWrite) return null;
    return (
      <span className="flex gap-1">
        <ActionButton
          variant="ghost"
          size="sm"
          disabled={writing.busy}
          pending={waive.isPending}
          onClick={() => waive.mutate({ cardId: id })}
        >
          {t("keys.notNeeded")}
        </ActionButton>
        <ActionButton
          variant="outline"
          size="sm"
          disabled={writing.busy}
          onClick={() => writing.writeFor({ key: `card:${id}`, holderId: stayGuestId, name })}
        >
          {t("card.writeAgain")}
        </ActionButton>
      </span>
    );
  }

  return (
    <ul aria-label={t("keys.heading")} className="divide-y rounded-md border">
      {groups.map(({ id, name }) => {
        const own = keys.keys.filter(({ stayGuestId }) => stayGuestId === id);
        if (own.length === 0 && (id === null || keys.state !== "checked_in")) return null;
        return (
          <li key={id ?? "others"} className="grid grid-cols-1 gap-2 px-4 py-3">
            <div className="flex items-center justify-between gap-3">
              <bdi className="min-w-0 truncate font-medium">{name}</bdi>
              {canWrite && id !== null && writing.queue[0]?.holderId !== id && (
                <ActionButton
                  variant="ghost"
                  size="sm"
                  disabled={writing.busy}
                  onClick={() => writing.writeFor({ key: `guest:${id}`, holderId: id, name })}
                >
                  <Nfc aria-hidden />
                  {t("card.newCard")}
                  <span className="sr-only">{name}</span>
                </ActionButton>
              )}
            </div>
            {own.length === 0 ? (
              <p className="text-sm text-muted-foreground">{t("keys.none")}</p>
            ) : (
              <ul className="grid gap-2.5">
                {own.map((key) => (
                  <KeyLine
                    key={`${key.kind}:${key.id}`}
                    stayKey={key}
                    opensUntil={keys.opensUntil}
                    actions={actionsOf(key, name)}
                  />
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}
