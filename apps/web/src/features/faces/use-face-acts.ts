import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

type FaceActs = {
  askToRemove: (face: Pick<FaceRow, "id" | "note">) => void;
  /** Asks for confirmation, then revokes the face's access at one door. */
  askToWithdraw: (grant: Pick<CredentialRow, "id" | "label" | "roomName">) => void;
};

/** Actions on a face or one of its grants, shared by all lists that show them. */
export function useFaceActs(): FaceActs {
  const { t } = useTranslation();
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
