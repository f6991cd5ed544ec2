import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { ScanFace } from "lucide-react";
import { DoorsChip } from "@/entities/credential/credential-state.tsx";
import { cn } from "@/lib/cn.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDate, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { RowAction } from "@/ui/table/table-model.ts";
import { RowMenu } from "@/ui/table/table-rows.tsx";

type FacePictureProps = { url: string | null; note: string; className?: string };

/** Shows a face picture, or a placeholder if the picture was erased. */
export function FacePicture({ url, note, className }: FacePictureProps) {
  return (
    <span className={cn("grid shrink-0 place-items-center overflow-hidden bg-sunken text-faint-foreground", className)}>
      {url ? (
        <img src={url} alt={t("face.pictureOf", { note })} loading="lazy" className="size-full object-cover" />
      ) : (
        <ScanFace aria-hidden className="size-1/2" strokeWidth={1.25} />
      )}
    </span>
  );
}

type FaceTileProps = { face: FaceRow; actions: readonly RowAction<FaceRow>[]; onOpen: () => void };

export function FaceTile({ face, actions, onOpen }: FaceTileProps) {
  const { timeZone } = useHotel();
  const { note, guestName, imageUrl, consentAt, grants } = face;
  return (
    <li className="relative flex flex-col overflow-hidden rounded-lg border bg-card shadow-card hover:border-input">
      <FacePicture url={imageUrl} note={note} className="aspect-4/3 w-full" />
      <div className="flex flex-1 flex-col gap-2 p-3.5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold">
              <button
                type="button"
                onClick={onOpen}
                className="block max-w-full text-start before:absolute before:inset-0 before:content-['']"
              >
                <span dir="auto" className="name-run block truncate">
                  {note}
                </span>
              </button>
            </h2>
            <p dir={guestName ? "auto" : undefined} className="name-run truncate text-sm text-muted-foreground">
              {guestName || t("face.noGuest")}
            </p>
          </div>
          <div className="relative -me-1.5 -mt-1">
            <RowMenu row={face} actions={actions} />
          </div>
        </div>
        <p className="text-sm">
          {grants.length === 0
            ? t("face.opensNone")
            : t("face.opens", { count: grants.length, formatted: formatNumber(grants.length) })}
        </p>
        {grants.length > 0 && <DoorsChip credentials={grants} />}
        <p className="mt-auto text-xs text-muted-foreground">
          {t("face.consentOn", { date: formatDate(consentAt, timeZone) })}
        </p>
      </div>
    </li>
  );
}

type FaceActs = {
  askToRemove: (face: Pick<FaceRow, "id" | "note">) => void;
  /** Asks for confirmation, then revokes the face's access at one door. */
  askToWithdraw: (grant: Pick<CredentialRow, "id" | "label" | "roomName">) => void;
};

/** Actions on a face or one of its grants, shared by all lists that show them. */
export function useFaceActs(): FaceActs {
  const remove = useMutation(trpc.faces.remove.mutationOptions());
  const withdraw = useMutation(trpc.faces.withdrawGrant.mutationOptions());
  return {
    askToRemove: ({ id, note }) =>
      void confirm({
        title: t("face.removeTitle", { note }),
        description: t("face.removeText"),
        confirmLabel: t("face.remove"),
        tone: "danger",
        action: async () => {
          await remove.mutateAsync({ faceId: id });
          toast.success(t("face.removed", { note }));
        },
      }),
    askToWithdraw: ({ id, label, roomName }) =>
      void confirm({
        title: t("face.withdrawTitle", { note: label, room: roomName ?? "–" }),
        description: t("face.withdrawText"),
        confirmLabel: t("face.withdraw"),
        tone: "danger",
        action: async () => {
          await withdraw.mutateAsync({ credentialId: id });
          toast.success(t("face.withdrawn", { note: label }));
        },
      }),
  };
}
