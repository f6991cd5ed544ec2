import { v } from "@innkey/shared/schemas/fields";
import { Copy } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { withOwnReader } from "@/entities/card-reader/card-reader.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { confirm } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { bytesOf, hexOf, spaced } from "@/readers/protocol/hex.ts";
import { FACTORY_KEY, isWritable, LAST_BLOCK } from "@/readers/protocol/mifare.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type Outcome = { block: number; uid: string; data: string } & (
  | { action: "read" }
  | { action: "write"; checked: boolean }
);

/** Returns the bytes as ASCII characters, with a dot for spaces and for bytes that aren't printable. */
const lettersOf = (hex: string): string =>
  Array.from(bytesOf(hex), (byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");

function outcomeTitleKey(outcome: Outcome) {
  if (outcome.action === "read") return "reader.block.didRead";
  return outcome.checked ? "reader.block.written" : "reader.block.writtenUnchecked";
}

function BlockOutcome({ outcome }: { outcome: Outcome }) {
  return (
    <Callout tone="success" title={t(outcomeTitleKey(outcome))}>
      <p className="text-sm">{t("reader.block.of", { block: outcome.block, uid: spaced(outcome.uid) })}</p>
      <div className="mt-2 flex items-center justify-between gap-2 rounded-md bg-card px-3 py-2">
        <p dir="ltr" className="min-w-0 font-mono break-words">
          {spaced(outcome.data)}
          <span className="block text-sm tracking-widest text-muted-foreground">{lettersOf(outcome.data)}</span>
        </p>
        <IconButton
          icon={Copy}
          size="icon-sm"
          label={t("reader.block.copy")}
          onClick={() => void copyText(outcome.data)}
        />
      </div>
    </Callout>
  );
}

const KEY_CHARACTERS = 12;
const DATA_CHARACTERS = 32;

const hexText = (characters: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, v.required)
    .transform((typed) => hexOf(typed) ?? "")
    .refine((hex) => hex.length === characters, message);

const keyFields = {
  device: z.int(v.required).min(0, "validation.readerDevice").max(255, "validation.readerDevice"),
  keyType: z.enum(["A", "B"]),
  key: hexText(KEY_CHARACTERS, "validation.readerKey"),
};
const block = z.int(v.required).min(0, "validation.readerBlock").max(LAST_BLOCK, "validation.readerBlock");

/**
 * Form for reading and writing a block (source: specification, section 5). Hex may be in any case and with any
 * separators.
 */
const blockForm = z.discriminatedUnion("action", [
  z.object({ action: z.literal("read"), ...keyFields, block, data: z.string() }),
  z.object({
    action: z.literal("write"),
    ...keyFields,
    block: block.refine(isWritable, "validation.readerBlockForbidden"),
    data: hexText(DATA_CHARACTERS, "validation.readerData"),
  }),
]);
type BlockJob = z.output<typeof blockForm>;

/** Reads or writes one block of the card on the reader. The typed values stay even if the reader fails. */
export function BlockTool() {
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<ReaderError>();
  const form = useZodForm(blockForm, {
    defaultValues: { action: "read", device: 0, block: 4, keyType: "A", key: FACTORY_KEY, data: "" },
  });
  const writing = form.watch("action") === "write";

  async function runJob(job: BlockJob): Promise<Outcome> {
    const { device, block, keyType, key } = job;
    if (job.action === "read")
      return withOwnReader(
        async (reader) => ({ block, ...(await reader.readBlock({ block, keyType, key })), action: "read" }),
        { device },
      );
    return withOwnReader(
      async (reader) => ({
        block,
        data: job.data,
        ...(await reader.writeBlock({ block, keyType, key }, job.data)),
        action: "write",
      }),
      { device },
    );
  }

  async function submit(job: BlockJob): Promise<void> {
    if (job.action === "write") {
      const confirmed = await confirm({
        title: t("reader.block.confirmTitle", { block: job.block }),
        description: t("reader.block.confirmText"),
        confirmLabel: t("reader.block.write"),
      });
      if (!confirmed) return;
    }
    setOutcome(undefined);
    setFailure(undefined);
    try {
      setOutcome(await runJob(job));
    } catch (error) {
      if (!(error instanceof ReaderError)) throw error;
      setFailure(error);
    }
  }

  return (
    <Card>
      <CardHeading title={t("reader.block.title")} description={t("reader.block.text")} />
      <CardContent>
        <Form form={form} onSubmit={submit}>
          <Field form={form} name="action" label={t("reader.block.action")} layout="group" required>
            {(control) => (
              <Segmented
                {...control}
                options={[
                  { value: "read", label: t("reader.block.read") },
                  { value: "write", label: t("reader.block.write") },
                ]}
              />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field form={form} name="block" label={t("reader.block.number")} required>
              {(control) => <NumberInput {...control} />}
            </Field>
            <Field
              form={form}
              name="device"
              label={t("reader.block.device")}
              hint={t("reader.block.deviceHint")}
              required
            >
              {(control) => <NumberInput {...control} />}
            </Field>
            <Field form={form} name="keyType" label={t("reader.block.keyType")} layout="group" required>
              {(control) => (
                <Segmented
                  {...control}
                  options={[
                    { value: "A", label: t("reader.block.keyA") },
                    { value: "B", label: t("reader.block.keyB") },
                  ]}
                />
              )}
            </Field>
            <Field form={form} name="key" label={t("reader.block.key")} hint={t("reader.block.keyHint")} required>
              {(control) => <HexInput {...control} />}
            </Field>
          </div>
          {writing && (
            <Field form={form} name="data" label={t("reader.block.data")} hint={t("reader.block.dataHint")} required>
              {(control) => <HexInput {...control} />}
            </Field>
          )}
          <div>
            <ActionButton type="submit" pending={form.formState.isSubmitting}>
              {writing ? t("reader.block.write") : t("reader.block.read")}
            </ActionButton>
          </div>
        </Form>
        <div aria-live="polite" className="mt-4 empty:mt-0">
          {failure && <ReaderFailure failure={failure} />}
          {outcome && <BlockOutcome outcome={outcome} />}
        </div>
      </CardContent>
    </Card>
  );
}

function HexInput(control: React.ComponentProps<typeof Input>) {
  return (
    <Input
      {...control}
      dir="ltr"
      maxLength={80}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="font-mono"
    />
  );
}
