import {
  CircleDashed,
  CircleQuestionMark,
  Copy,
  Keyboard,
  LoaderCircle,
  type LucideIcon,
  Nfc,
  PlugZap,
  Search,
  Unplug,
} from "lucide-react";
import { useEffect, useState } from "react";
import {
  cardReader,
  checkConnection,
  chooseSource,
  chooseType,
  findReader,
  readCard,
  useReaderSettings,
  useReading,
  useTypedNumbers,
} from "@/entities/card-reader/card-reader.ts";
import { useConnectedReader } from "@/entities/card-reader/card-reader-presence.ts";
import { kindName, ReaderFailure, TYPE_PORTS } from "@/entities/card-reader/card-reader-status.tsx";
import type { Connection } from "@/entities/card-reader/reader-settings.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { readStored, writeStored } from "@/lib/browser/stored.ts";
import { formatTime } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import type { CardOnReader } from "@/readers/card-reading.ts";
import {
  browserEnvironment,
  type LoopbackPermission,
  loopbackPermission,
} from "@/readers/lines/loopback-permission.ts";
import { phoneReader } from "@/readers/number-sources.ts";
import { formsOf, spaced } from "@/readers/protocol/hex.ts";
import { READER_TYPES, type ReaderType, SOURCES, type Source } from "@/readers/reader-type.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Fact } from "@/ui/card-parts.tsx";
import { Disclosure } from "@/ui/disclosure.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { useCardLookUp } from "./use-card-look-up.ts";

/** Shows the card that was read last, with its number in all common notations. */
function CardNumber({ card }: { card: CardOnReader }) {
  const { timeZone } = useHotel();
  const { uid, reversed, decimal, reversedDecimal } = formsOf(card.uid);
  return (
    <section aria-label={t("reader.number")} className="rounded-lg border bg-card shadow-card">
      <div className="flex items-center justify-between gap-3 border-b border-dashed px-4 py-3">
        <div className="min-w-0">
          <p className="text-sm text-muted-foreground">{t("reader.number")}</p>
          <p dir="ltr" className="font-mono text-xl font-medium tracking-wide break-words rtl:text-end">
            {spaced(uid)}
          </p>
        </div>
        <IconButton icon={Copy} label={t("reader.copyNumber")} onClick={() => void copyText(uid)} />
      </div>
      <dl className="grid gap-3 px-4 py-3 sm:grid-cols-2">
        {card.kind && <Fact label={t("reader.kind")}>{kindName(card.kind)}</Fact>}
        <Fact label={t("reader.reversed")}>
          <bdi className="font-mono">{spaced(reversed)}</bdi>
        </Fact>
        {decimal && reversedDecimal && (
          <>
            <Fact label={t("reader.decimal")}>
              <bdi>{decimal}</bdi>
            </Fact>
            <Fact label={t("reader.reversedDecimal")}>
              <bdi>{reversedDecimal}</bdi>
            </Fact>
          </>
        )}
        <Fact label={t("reader.readAt")}>{formatTime(new Date(card.at).toISOString(), timeZone)}</Fact>
      </dl>
    </section>
  );
}

const READER_ANSWERED_KEY = "readerMet";

/** Explains what to start and what the browser will ask, before a reader has answered for the first time. */
function FirstUse({ permission }: { permission: LoopbackPermission }) {
  const { connection, failure } = useReaderSettings();
  const [hasAnsweredBefore] = useState(() => readStored(READER_ANSWERED_KEY) !== null);
  const check = (
    <ActionButton
      variant="outline"
      size="sm"
      pending={connection === "trying"}
      needsServer={false}
      onClick={() => void checkConnection()}
    >
      {t("reader.check")}
    </ActionButton>
  );

  if (connection === "connected") {
    writeStored(READER_ANSWERED_KEY, "1");
    return null;
  }
  if (permission === "denied")
    return (
      <Callout tone="warning" title={t("reader.permission.deniedTitle")} actions={check}>
        {t("reader.permission.denied")}
      </Callout>
    );
  if (permission === "insecure")
    return (
      <Callout tone="warning" title={t("reader.permission.insecureTitle")}>
        {t("reader.permission.insecure")}
      </Callout>
    );
  if (failure) return <ReaderFailure failure={failure} actions={check} />;
  if (hasAnsweredBefore && permission !== "prompt") return null;
  return (
    <Callout tone="info" title={t("reader.first.title")} actions={check}>
      <ol className="list-decimal space-y-1 ps-4">
        <li>{t("reader.first.start")}</li>
        {permission !== "exempt" && permission !== "granted" && <li>{t("reader.first.allow")}</li>}
        <li>{t("reader.first.check")}</li>
      </ol>
    </Callout>
  );
}

/** Reads a card's number and shows the result. */
export function CardReaderPanel({ onGuestShown }: { onGuestShown?: () => void }) {
  const { source, type, connection } = useReaderSettings();
  const { busy, card, failure, warning } = useReading();
  const permission = usePermission();
  const { checkKey } = useStayActions();
  const seesLocks = useCan()("locks.view");
  const isKeyboard = source === "keyboard";
  const service = source === "service";
  useTypedNumbers(isKeyboard);
  useCardLookUp(onGuestShown);

  useEffect(() => {
    // If the browser doesn't need to ask for permission, we check at once whether a reader is present.
    if (service && type && connection === "untried" && (permission === "exempt" || permission === "granted"))
      void checkConnection();
  }, [service, type, connection, permission]);

  return (
    <div className="grid gap-4">
      {service && permission && !failure && <FirstUse permission={permission} />}
      {isKeyboard ? (
        <p className="flex items-center gap-3 rounded-md bg-sunken px-3.5 py-3" role="status">
          <Keyboard aria-hidden className="size-5 shrink-0 text-muted-foreground" />
          {t("reader.keyboardReady")}
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {/* The button stays enabled while reading, so that a second press gets a response. */}
          <ActionButton size="lg" className="min-w-48 max-sm:flex-1" aria-busy={busy} onClick={() => void readCard()}>
            <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
            {busy ? t("reader.reading") : t("shell.readCard")}
          </ActionButton>
          {busy && (
            <Button variant="outline" size="lg" onClick={() => cardReader.cancel()}>
              {t("common.cancel")}
            </Button>
          )}
        </div>
      )}
      {warning && <Callout tone="warning" title={t(`reader.warning.${warning}`)} />}
      {failure && <ReaderFailure failure={failure} />}
      <div aria-live="polite">
        {card ? (
          <div className="grid gap-3">
            <CardNumber card={card} />
            {seesLocks && (
              <ActionButton
                variant="outline"
                onClick={() => {
                  onGuestShown?.();
                  checkKey({ number: card.uid });
                }}
              >
                <CircleQuestionMark aria-hidden />
                {t("nav.keyCheck")}
              </ActionButton>
            )}
          </div>
        ) : (
          <EmptyState
            drawing={CardOverReader}
            title={t("reader.none")}
            description={t("reader.noneText")}
            className="py-8"
          />
        )}
      </div>
    </div>
  );
}

/** Returns whether the browser lets this page connect to the reader. It checks again after each attempt. */
function usePermission(): LoopbackPermission | undefined {
  const { connection } = useReaderSettings();
  const [permission, setPermission] = useState<LoopbackPermission>();
  useEffect(() => {
    const requested: Connection = connection;
    let isMounted = true;
    if (requested !== "trying")
      void loopbackPermission(browserEnvironment()).then((next) => {
        if (isMounted) setPermission(next);
      });
    return () => {
      isMounted = false;
    };
  }, [connection]);
  return permission;
}

const STYLES: Record<Connection, { tone: StatusTone; icon: LucideIcon }> = {
  untried: { tone: "neutral", icon: CircleDashed },
  trying: { tone: "neutral", icon: LoaderCircle },
  connected: { tone: "success", icon: PlugZap },
  broken: { tone: "danger", icon: Unplug },
};

export function ConnectionChip() {
  const { connection } = useReaderSettings();
  return (
    <span role="status">
      <StatusChip {...STYLES[connection]}>{t(`reader.connection.${connection}`)}</StatusChip>
    </span>
  );
}

/**
 * Finds the card reader at this desk; what was found is stored in this browser. Keyboard readers and phones provide
 * only card numbers.
 */
export function ReaderChoice({ numbersToo = false }: { numbersToo?: boolean }) {
  return (
    <div className="grid gap-3">
      <FindReader />
      {numbersToo && <SourceChoice />}
      <Disclosure label={t("reader.advanced")} className="gap-2">
        <TypeChoice />
      </Disclosure>
    </div>
  );
}

/** Tries all types of reader, so that nobody at the desk has to know one. */
function FindReader() {
  const { connection } = useReaderSettings();
  const { busy } = useReading();
  const reader = useConnectedReader();
  const [isFound, setIsFound] = useState<boolean>();
  return (
    <div className="grid gap-2">
      <ActionButton
        variant="outline"
        className="justify-self-start"
        pending={connection === "trying"}
        disabled={busy}
        needsServer={false}
        onClick={() => void findReader().then(setIsFound)}
      >
        <Search aria-hidden />
        {t("reader.find")}
      </ActionButton>
      <p role="status" className="text-sm text-pretty text-muted-foreground empty:hidden">
        {isFound === false && connection !== "connected" && t("reader.foundNone")}
        {isFound && connection === "connected" && (
          <>
            {t("reader.found")} {reader && <bdi className="ltr-run font-mono">{reader.deviceNo}</bdi>}
          </>
        )}
      </p>
    </div>
  );
}

const SOURCE_TEXTS = {
  service: ["reader.service", "reader.serviceText"],
  keyboard: ["reader.keyboard", "reader.keyboardText"],
  phone: ["reader.phone", "reader.phoneText"],
} as const satisfies Record<Source, readonly [TextKey, TextKey]>;

function SourceChoice() {
  const { source } = useReaderSettings();
  const { busy } = useReading();
  return (
    <RadioInput<Source>
      aria-label={t("reader.which")}
      value={source}
      disabled={busy}
      onChange={chooseSource}
      options={SOURCES.filter((value) => value !== "phone" || phoneReader()).map((value) => {
        const [label, hint] = SOURCE_TEXTS[value];
        return { value, label: t(label), hint: t(hint) };
      })}
    />
  );
}

function TypeChoice() {
  const { type } = useReaderSettings();
  const { busy } = useReading();
  return (
    <RadioInput<ReaderType>
      aria-label={t("cardReader.type")}
      value={type}
      disabled={busy}
      onChange={(next) => {
        chooseSource("service");
        chooseType(next);
      }}
      options={READER_TYPES.map((number) => ({
        value: number,
        label: t("reader.type", { number }),
        hint: t(number === "2" ? "reader.typeTextUntested" : "reader.typeText", { port: TYPE_PORTS[number] }),
      }))}
    />
  );
}
