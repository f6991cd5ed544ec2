import { RefreshCw } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { api, reportingFailure } from "@/lib/api.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { TextInputProps } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

export type CaptchaModel = { captchaId?: string; image?: string; renew: () => void };

/** Fetches a graphic code when it is first needed, and a new one on demand. */
export function useCaptcha(needed: boolean): CaptchaModel {
  const [captcha, setCaptcha] = useState<{ captchaId: string; image: string }>();
  const renew = useCallback(() => {
    setCaptcha(undefined);
    // The error has already been shown. The picture stays empty and a click on it tries again.
    reportingFailure(api.auth.captcha.mutate()).then(setCaptcha, () => undefined);
  }, []);
  useEffect(() => {
    if (needed) renew();
  }, [needed, renew]);
  return { ...captcha, renew };
}

/** Text field for the graphic code beside its picture. A click on the picture fetches another one. */
export function CaptchaInput({ captcha, ...control }: TextInputProps & { captcha: CaptchaModel }) {
  const { t } = useTranslation();
  return (
    <div className="flex gap-2">
      <Input
        {...control}
        maxLength={4}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        dir="ltr"
        className="font-mono tracking-[0.3em]"
      />
      <button
        type="button"
        aria-busy={!captcha.image}
        onClick={captcha.renew}
        aria-label={t("auth.newCode")}
        title={t("auth.newCode")}
        className="group relative h-10 w-32 shrink-0 overflow-hidden rounded-md border border-input bg-white lg:h-9"
      >
        {captcha.image ? (
          <img src={captcha.image} alt={t("auth.graphicCodeAlt")} className="size-full object-contain" />
        ) : (
          <Skeleton className="size-full" />
        )}
        <span className="absolute inset-y-0 end-1 my-auto grid size-6 place-items-center rounded-sm bg-black/55 text-white opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
          <RefreshCw aria-hidden className="size-3.5" />
        </span>
      </button>
    </div>
  );
}
