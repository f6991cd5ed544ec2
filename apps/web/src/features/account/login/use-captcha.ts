import { useCallback, useEffect, useState } from "react";
import { entrance } from "@/lib/login/entrance.ts";

export type CaptchaModel = { captchaId?: string; image?: string; renew: () => void };

/** Fetches a graphic code when it is first needed, and a new one on demand. */
export function useCaptcha(needed: boolean): CaptchaModel {
  const [captcha, setCaptcha] = useState<{ captchaId: string; image: string }>();
  const renew = useCallback(() => {
    setCaptcha(undefined);
    // The error has already been shown. The picture stays empty and a click on it tries again.
    entrance.captcha().then(setCaptcha, () => undefined);
  }, []);
  useEffect(() => {
    if (needed) renew();
  }, [needed, renew]);
  return { ...captcha, renew };
}
