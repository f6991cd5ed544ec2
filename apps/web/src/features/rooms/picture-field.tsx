import { useMutation } from "@tanstack/react-query";
import { ImageUp, Trash2 } from "lucide-react";
import { type DragEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { cn } from "@/lib/cn.ts";
import { rest } from "@/lib/rest.ts";

type PictureFieldProps = {
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  "aria-labelledby"?: string;
};

async function upload(file: File): Promise<{ id: string; url: string }> {
  const body = new FormData();
  body.append("file", file);
  const response = await rest("/api/files?kind=room", { method: "POST", body });
  return (await response.json()) as { id: string; url: string };
}

/** A picture by choosing or dropping a file; the server re-encodes it and answers its id. */
export function PictureField({ value, onChange, "aria-labelledby": labelledBy }: PictureFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const send = useMutation({ mutationFn: upload, meta: { shownInForm: true }, onSuccess: ({ id }) => onChange(id) });

  function take(file: File | undefined): void {
    if (file) send.mutate(file);
  }

  return (
    <div role="group" aria-labelledby={labelledBy}>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
        className={cn("flex flex-wrap items-center gap-4 rounded-lg border border-dashed border-input p-3", send.isPending && "opacity-70")}
      >
        <span className="grid h-24 w-36 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-faint-foreground">
          {value ? <img src={`/files/${value}`} alt={t("room.pictureAlt")} className="size-full object-cover" /> : <ImageUp aria-hidden className="size-6" />}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap gap-2">
            <Button size="sm" pending={send.isPending} onClick={() => input.current?.click()}>
              <ImageUp aria-hidden />
              {value ? t("room.replacePicture") : t("room.choosePicture")}
            </Button>
            {value && (
              <Button size="sm" variant="dangerQuiet" onClick={() => onChange(null)}>
                <Trash2 aria-hidden />
                {t("room.removePicture")}
              </Button>
            )}
          </div>
          <p className="mt-2 text-sm text-muted-foreground">{t("room.pictureHint")}</p>
          {send.error && (
            <p role="alert" className="mt-1 text-sm font-medium text-danger">
              {failureText(failureOf(send.error))}
            </p>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t("room.picture")}
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
    </div>
  );
}
