import { useCallback, useEffect, useState } from "react";
import { entrance } from "@/lib/login/entrance.ts";

export type CaptchaModel = { captchaId?: string; image?: string; renew: () => void };

/** A graphic code that is fetched once it is needed and again on demand. */
export function useCaptcha(needed: boolean): CaptchaModel {
  const [captcha, setCaptcha] = useState<{ captchaId: string; image: string }>();
  const renew = useCallback(() => {
    setCaptcha(undefined);
    // What failed was told; the picture stays empty, and a press on it asks again.
    entrance.captcha().then(setCaptcha, () => undefined);
  }, []);
  useEffect(() => {
    if (needed) renew();
  }, [needed, renew]);
  return { ...captcha, renew };
}
