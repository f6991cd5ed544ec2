import { PlugZap, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { type TextKey, t } from "@/lib/i18n.ts";
import type { CardKind } from "@/readers/protocol/mifare.ts";
import { meaningOf, type ReaderError, retvalText } from "@/readers/reader-error.ts";
import type { ReaderType } from "@/readers/reader-type.ts";
import { Callout } from "@/ui/callout.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

export const TYPE_PORTS: Record<ReaderType, number> = { "1": 13570, "2": 8765, "3": 39002 };

/** Product names, the same in all languages. */
const KIND_NAMES: Record<Exclude<CardKind, "other">, string> = {
  classic1k: "MIFARE Classic 1K",
  classic4k: "MIFARE Classic 4K",
  ultralight: "MIFARE Ultralight / NTAG",
  desfire: "MIFARE DESFire",
};

export function kindName(kind: CardKind): string {
  return kind === "other" ? t("reader.kindOther") : KIND_NAMES[kind];
}

const HINTS: Partial<Record<ReaderError["kind"], TextKey>> = {
  noService: "reader.hint.startAndAllow",
  timedOut: "reader.hint.startAndAllow",
  badAnswer: "reader.hint.type",
  openFailed: "reader.hint.connection",
  noDevice: "reader.hint.connection",
  notConnected: "reader.hint.connection",
  noCard: "reader.hint.card",
  uidFailed: "reader.hint.card",
  readFailed: "reader.hint.card",
  wrongKey: "reader.hint.key",
};

interface FailureTexts {
  title: string;
  hint?: string;
  /** The reader's own result or message. */
  detail?: string;
}

/** Returns a failure as text: what happened, what to do, and what the reader reported. */
export function failureTexts({ kind, step, detail }: ReaderError): FailureTexts {
  if (kind === "ofOthers") return ofOthersTexts(detail.message);
  const hint = kind === "cardGone" && step === "write" ? "reader.hint.halfWritten" : HINTS[kind];
  return { title: t(`reader.error.${kind}`), hint: hint && t(hint), detail: detailText(detail) };
}

function ofOthersTexts(names?: string): FailureTexts {
  return {
    title: t("reader.error.ofOthers"),
    hint: names ? t("reader.hint.holders", { names }) : t("reader.hint.otherHolders"),
  };
}

function detailText({ retval, message }: ReaderError["detail"]): string | undefined {
  if (retval !== undefined)
    return t("reader.code", { code: retvalText(retval), meaning: t(`reader.retval.${meaningOf(retval)}`) });
  return message ? t("reader.says", { message }) : undefined;
}

/** Shows what went wrong at the reader, what to do, and the reader's own result. */
export function ReaderFailure({ failure, actions }: { failure: ReaderError; actions?: ReactNode }) {
  const { title, hint, detail } = failureTexts(failure);
  return (
    <Callout tone="danger" title={title} actions={actions}>
      {hint && <p>{hint}</p>}
      {detail && <p className="text-sm text-muted-foreground">{detail}</p>}
    </Callout>
  );
}

/** Shows whether a desk with this reader was online a moment ago. */
export function OnlineChip({ online, size = "sm" }: { online: boolean; size?: "sm" | "md" }) {
  return (
    <StatusChip tone={online ? "success" : "neutral"} icon={online ? PlugZap : Unplug} size={size}>
      {online ? t("cardReader.online") : t("cardReader.offline")}
    </StatusChip>
  );
}
