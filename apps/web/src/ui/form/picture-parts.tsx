import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { ImageUp, LoaderCircle, Trash2 } from "lucide-react";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText, rest } from "@/lib/rest.ts";
import { useUnreachableProps } from "@/ui/action/action-button.tsx";
import { ActionButton } from "../action/action-button.tsx";
import { buttonVariants } from "../primitives/button.tsx";

type Upload = UseMutationResult<{ id: string }, Error, File>;

/** Uploads a chosen picture. The server re-encodes it and returns its id. */
export function usePictureUpload(kind: "avatar" | "room", onStored: (fileId: string) => void): Upload {
  return useMutation({
    mutationFn: async (file: File): Promise<{ id: string }> => {
      const body = new FormData();
      body.append("file", file);
      const response = await rest(`/api/files?kind=${kind}`, { method: "POST", body });
      return (await response.json()) as { id: string };
    },
    meta: { shownInForm: true },
    onSuccess: ({ id }) => onStored(id),
  });
}

/** The visible button; the transparent input lies over it. */
export function PictureButton({ upload, has }: { upload: Upload; has: boolean }) {
  const away = useUnreachableProps(true);
  return (
    <span
      aria-hidden
      aria-disabled={away !== null || undefined}
      className={buttonVariants({ variant: "outline", size: "sm" })}
    >
      {upload.isPending ? <LoaderCircle className="animate-spin motion-reduce:animate-none" /> : <ImageUp />}
      {has ? t("room.replacePicture") : t("room.choosePicture")}
    </span>
  );
}

type PictureInputProps = { upload: Upload; id?: string; "aria-describedby"?: string };

/** Takes a chosen or dropped file, anywhere on the positioned element around it. */
export function PictureInput({ upload, ...labelled }: PictureInputProps) {
  const away = useUnreachableProps(true);
  return (
    <input
      {...labelled}
      type="file"
      accept="image/*"
      disabled={upload.isPending || away !== null}
      className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      {...away}
      onChange={(event) => {
        const file = event.target.files?.[0];
        if (file) upload.mutate(file);
        event.target.value = "";
      }}
    />
  );
}

export function RemovePicture({ onRemove }: { onRemove: () => void }) {
  return (
    <ActionButton size="sm" variant="ghost-destructive" needsServer={false} className="relative" onClick={onRemove}>
      <Trash2 aria-hidden />
      {t("room.removePicture")}
    </ActionButton>
  );
}

export function PictureFailure({ upload }: { upload: Upload }) {
  if (!upload.error) return null;
  return (
    <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
      {failureText(failureOf(upload.error))}
    </p>
  );
}
