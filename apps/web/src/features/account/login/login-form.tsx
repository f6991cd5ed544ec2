import type { LoginOutput } from "@innkey/shared/schemas/identity/auth";
import { Link } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { api, reportingFailure } from "@/lib/api.ts";
import { type TextKey, t, textOf } from "@/lib/i18n.ts";
import { loadOrReload } from "@/lib/loading/missing-part.ts";
import { passkeysWork } from "@/lib/login/passkeys-work.ts";
import { type Failure, failureOf, failureText } from "@/lib/rest.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { afterPress, FieldFrame, fieldMarks } from "@/ui/form/field-frame.tsx";
import { PasswordInput, type TextInputProps } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

export type CaptchaModel = {
  /** Undefined while a picture is being fetched */
  image?: string;
  renew: () => void;
  /** Returns the id of the captcha on screen. Waits while one is being fetched, and fetches one if there is none. */
  loadId: () => Promise<string>;
};

/** Fetches a captcha when it is first needed, and a new one on demand. */
export function useCaptcha(isNeeded: boolean): CaptchaModel {
  const [image, setImage] = useState<string>();
  const latest = useRef<Promise<{ captchaId: string; image: string }>>(undefined);
  const fetchCaptcha = useCallback(() => {
    setImage(undefined);
    const request = reportingFailure(api.auth.captcha.mutate());
    latest.current = request;
    request.then(
      (captcha) => latest.current === request && setImage(captcha.image),
      // The error has already been shown. The picture stays empty and a click on it tries again.
      () => {
        if (latest.current === request) latest.current = undefined;
      },
    );
    return request;
  }, []);
  const renew = useCallback(() => void fetchCaptcha(), [fetchCaptcha]);
  const loadId = useCallback(async () => (await (latest.current ?? fetchCaptcha())).captchaId, [fetchCaptcha]);
  useEffect(() => {
    if (isNeeded) renew();
  }, [isNeeded, renew]);
  return { image, renew, loadId };
}

/** Text field for the captcha beside its picture. A click on the picture fetches another one. */
export function CaptchaInput({ captcha, ...control }: TextInputProps & { captcha: CaptchaModel }) {
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

type LoginInput = Parameters<typeof api.auth.login.mutate>[0];
type FieldName = "account" | "password" | "code";
type Messages = Partial<Record<FieldName, string>>;

const CODE_LENGTH = 4;
/**
 * Maximum number of tasks per login. Other people's failed logins can make the next task harder while we solve this
 * one.
 */
const MAX_TASKS = 3;

function fieldErrorKey(name: FieldName, value: string): TextKey | undefined {
  if (name === "code" && value.trim().length !== CODE_LENGTH) return "validation.graphicCode";
  return value.trim() === "" ? "validation.required" : undefined;
}

function messagesOf({ code, params, fields = {} }: Failure): Messages {
  if (code === "captcha_required" || code === "captcha_wrong") return { code: textOf(`errors.${code}`, params) };
  return Object.fromEntries(Object.entries(fields).map(([name, { key, params }]) => [name, textOf(key, params)]));
}

/**
 * First form that a visitor loads. It manages its three values itself to avoid loading the form library that other
 * forms share.
 */
export function LoginForm({ onLogin }: { onLogin: (answer: LoginOutput) => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const id = useId();
  const [values, setValues] = useState<Record<FieldName, string>>({ account: "", password: "", code: "" });
  const [messages, setMessages] = useState<Messages>({});
  const [failure, setFailure] = useState<string>();
  const [invalidField, setInvalidField] = useState<{ name: FieldName }>();
  const [needsCaptcha, setNeedsCaptcha] = useState(false);
  const captcha = useCaptcha(needsCaptcha);
  const [isBusy, setIsBusy] = useState(false);
  const [isSolving, setIsSolving] = useState(false);

  useEffect(() => {
    if (failure) summary.current?.focus();
  }, [failure]);
  useEffect(() => {
    if (invalidField) form.current?.querySelector<HTMLInputElement>(`[name="${invalidField.name}"]`)?.focus();
  }, [invalidField]);

  function check(name: FieldName, value: string): void {
    const key = fieldErrorKey(name, value);
    setMessages((old) => ({ ...old, [name]: key && t(key) }));
  }

  function showMessages(next: Messages): void {
    setMessages(next);
    const [name] = Object.keys(next) as FieldName[];
    setInvalidField(name && { name });
  }

  function showFailure(error: unknown): void {
    const answer = failureOf(error);
    const next = messagesOf(answer);
    if (needsCaptcha) {
      captcha.renew();
      setValues((old) => ({ ...old, code: "" }));
    }
    if (next.code) setNeedsCaptcha(true);
    showMessages(next);
    if (Object.keys(next).length === 0) setFailure(failureText(answer));
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const fields: FieldName[] = ["account", "password", ...(needsCaptcha ? (["code"] as const) : [])];
    const fieldErrors = fields.flatMap((name) => {
      const key = fieldErrorKey(name, values[name]);
      return key ? [[name, t(key)]] : [];
    });
    setFailure(undefined);
    if (fieldErrors.length > 0) return showMessages(Object.fromEntries(fieldErrors));
    const { account, password, code } = values;
    await attempt(async () =>
      logIn({ account, password, ...(needsCaptcha && { captchaId: await captcha.loadId(), code }) }),
    );
  }

  /** Logs in. After failed attempts the server demands a proof of work first; its code is loaded only then. */
  async function logIn(input: LoginInput, rounds = MAX_TASKS): Promise<LoginOutput> {
    try {
      return await reportingFailure(api.auth.login.mutate(input));
    } catch (error) {
      const { code, params = {} } = failureOf(error);
      if (code !== "work_required" || rounds === 0) throw error;
      setIsSolving(true);
      try {
        const { solveTask } = await loadOrReload(import("./proof-of-work.ts"));
        const work = await solveTask(String(params.challenge), Number(params.bits));
        return await logIn({ ...input, work }, rounds - 1);
      } finally {
        setIsSolving(false);
      }
    }
  }

  async function attempt(logIn: () => Promise<LoginOutput | null>): Promise<void> {
    setIsBusy(true);
    try {
      const answer = await logIn();
      if (answer) await onLogin(answer);
    } catch (error) {
      showFailure(error);
    }
    setIsBusy(false);
  }

  /** Logs in with a passkey. The WebAuthn code is loaded only then. */
  async function logInByPasskey(): Promise<LoginOutput | null> {
    setFailure(undefined);
    const { logInWithPasskey } = await loadOrReload(import("../two-step/passkeys.ts"));
    const me = await logInWithPasskey();
    return me && { next: "enter", ...me };
  }

  function renderField(
    name: FieldName,
    label: string,
    renderControl: (control: TextInputProps) => ReactNode,
    aside?: ReactNode,
  ): ReactNode {
    const message = messages[name];
    const control = {
      ...fieldMarks(`${id}${name}`, { message, required: true }),
      name,
      value: values[name],
      onChange: ({ target: { value } }: { target: HTMLInputElement }) => {
        setValues((old) => ({ ...old, [name]: value }));
        if (message) check(name, value);
      },
      onBlur: () => afterPress(() => check(name, values[name])),
    };
    return (
      <FieldFrame id={control.id} label={label} message={message} required aside={aside}>
        {renderControl(control)}
      </FieldFrame>
    );
  }

  return (
    <form ref={form} noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {failure && <Callout ref={summary} tabIndex={-1} tone="danger" title={failure} />}
      {renderField("account", t("auth.account"), (control) => (
        <Input {...control} autoComplete="username" autoCapitalize="off" spellCheck={false} autoFocus dir="auto" />
      ))}
      {renderField(
        "password",
        t("auth.password"),
        (control) => (
          <PasswordInput {...control} autoComplete="current-password" />
        ),
        <Link to="/find" className="rounded-sm text-brass-ink underline-offset-4 hover:underline">
          {t("auth.forgot")}
        </Link>,
      )}
      {needsCaptcha &&
        renderField("code", t("auth.graphicCode"), (control) => <CaptchaInput {...control} captcha={captcha} />)}
      <ActionButton type="submit" size="lg" className="w-full mt-2" pending={isBusy}>
        {t("auth.login")}
      </ActionButton>
      <p role="status" className="text-sm text-pretty text-muted-foreground empty:hidden">
        {isSolving && t("auth.checking")}
      </p>
      {passkeysWork() && (
        <ActionButton
          variant="outline"
          size="lg"
          onClick={() => !isBusy && void attempt(logInByPasskey)}
          className="w-full"
        >
          {t("auth.passkeyLogin")}
        </ActionButton>
      )}
    </form>
  );
}
