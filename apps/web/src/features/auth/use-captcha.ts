import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { trpc } from "@/lib/trpc.ts";

export type CaptchaModel = { captchaId?: string; image?: string; pending: boolean; renew: () => void };

/** A graphic code that is fetched once it is needed and again on demand. */
export function useCaptcha(needed: boolean): CaptchaModel {
  const { data, isPending, mutate } = useMutation(trpc.auth.captcha.mutationOptions());
  const renew = useCallback(() => mutate(), [mutate]);
  useEffect(() => {
    if (needed) renew();
  }, [needed, renew]);
  return { captchaId: data?.captchaId, image: data?.image, pending: isPending, renew };
}
