import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { ImageUp, LoaderCircle, Trash2 } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText, rest } from "@/lib/rest.ts";
import { useUnreachableProps } from "@/ui/action/action-button.tsx";
import { ActionButton } from "../action/action-button.tsx";
import { buttonVariants } from "../primitives/button.tsx";

type Upload = UseMutationResult<{ id: string }, Error, File>;

/** Uploads a chosen picture. The server re-encodes it and returns its id. */
export function usePictureUpload(kind: "avatar" | "room" | "logo", onStored: (fileId: string) => void): Upload {
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

type PictureFieldProps = {
  kind: "room" | "logo";
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  /** What the picture shows, for screen readers. */
  alt: string;
  hint: string;
  disabled?: boolean;
  id?: string;
  "aria-describedby"?: string;
};

/** Uploads a picture that is chosen or dropped. A logo is shown whole, a room fills its frame. */
export function PictureField({ kind, value, onChange, alt, hint, disabled, ...labelled }: PictureFieldProps) {
  const upload = usePictureUpload(kind, onChange);
  return (
    <div>
      <div className="relative flex flex-wrap items-center gap-4 rounded-lg border border-dashed border-input p-3 focus-within:outline-2 focus-within:outline-ring hover:border-foreground/50">
        <span className="grid h-24 w-36 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-faint-foreground">
          {value ? (
            <img
              src={`/files/${value}`}
              alt={alt}
              className={cn("size-full", kind === "logo" ? "bg-white object-contain p-2" : "object-cover")}
            />
          ) : (
            <ImageUp aria-hidden className="size-6" />
          )}
        </span>
        <div className="min-w-0 flex-1">
          {!disabled && <PictureButton upload={upload} has={Boolean(value)} />}
          <p className="mt-2 text-sm text-muted-foreground">{hint}</p>
        </div>
        {!disabled && <PictureInput upload={upload} id={labelled.id} aria-describedby={labelled["aria-describedby"]} />}
        {value && !disabled && <RemovePicture onRemove={() => onChange(null)} />}
      </div>
      <PictureFailure upload={upload} />
    </div>
  );
}
