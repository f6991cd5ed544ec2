import { useMutation } from "@tanstack/react-query";
import { ImageUp, LoaderCircle, Trash2 } from "lucide-react";
import { Button, buttonVariants } from "@/components/ui/button.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";

type PictureFieldProps = {
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  id?: string;
  "aria-describedby"?: string;
};

async function upload(file: File): Promise<{ id: string; url: string }> {
  const body = new FormData();
  body.append("file", file);
  const response = await rest("/api/files?kind=room", { method: "POST", body });
  return (await response.json()) as { id: string; url: string };
}

/** A picture by choosing or dropping a file; the server re-encodes it and answers its id. */
export function PictureField({ value, onChange, id, "aria-describedby": describedBy }: PictureFieldProps) {
  const { t } = useTranslation();
  const send = useMutation({ mutationFn: upload, meta: { shownInForm: true }, onSuccess: (file) => onChange(file.id) });

  return (
    <div>
      <div className="relative flex flex-wrap items-center gap-4 rounded-lg border border-dashed border-input p-3 focus-within:outline-2 focus-within:outline-ring hover:border-foreground/50">
        <span className="grid h-24 w-36 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-faint-foreground">
          {value ? (
            <img src={`/files/${value}`} alt={t("room.pictureAlt")} className="size-full object-cover" />
          ) : (
            <ImageUp aria-hidden className="size-6" />
          )}
        </span>
        <div className="min-w-0 flex-1">
          <span aria-hidden className={buttonVariants({ size: "sm" })}>
            {send.isPending ? <LoaderCircle className="animate-spin motion-reduce:animate-none" /> : <ImageUp />}
            {value ? t("room.replacePicture") : t("room.choosePicture")}
          </span>
          <p className="mt-2 text-sm text-muted-foreground">{t("room.pictureHint")}</p>
        </div>
        <input
          id={id}
          type="file"
          accept="image/*"
          disabled={send.isPending}
          aria-describedby={describedBy}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) send.mutate(file);
            event.target.value = "";
          }}
        />
        {value && (
          <Button size="sm" variant="dangerQuiet" className="relative" onClick={() => onChange(null)}>
            <Trash2 aria-hidden />
            {t("room.removePicture")}
          </Button>
        )}
      </div>
      {send.error && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {failureText(failureOf(send.error))}
        </p>
      )}
    </div>
  );
}
