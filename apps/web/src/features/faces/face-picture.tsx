import { ScanFace } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";

type FacePictureProps = { url: string | null; note: string; className?: string };

/** Shows a face picture, or a placeholder if the picture was erased. */
export function FacePicture({ url, note, className }: FacePictureProps) {
  const { t } = useTranslation();
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
