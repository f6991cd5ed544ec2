import { ImageUp } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import {
  PictureButton,
  PictureFailure,
  PictureInput,
  RemovePicture,
  usePictureUpload,
} from "@/ui/form/picture-parts.tsx";

type PictureFieldProps = {
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  id?: string;
  "aria-describedby"?: string;
};

/** A picture by choosing or dropping a file. */
export function PictureField({ value, onChange, ...labelled }: PictureFieldProps) {
  const { t } = useTranslation();
  const upload = usePictureUpload("room", onChange);
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
          <PictureButton upload={upload} has={Boolean(value)} />
          <p className="mt-2 text-sm text-muted-foreground">{t("room.pictureHint")}</p>
        </div>
        <PictureInput upload={upload} id={labelled.id} aria-describedby={labelled["aria-describedby"]} />
        {value && <RemovePicture onRemove={() => onChange(null)} />}
      </div>
      <PictureFailure upload={upload} />
    </div>
  );
}
