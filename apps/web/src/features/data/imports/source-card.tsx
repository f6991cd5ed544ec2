import { SEPARATORS, type Separator } from "@innkey/shared/csv";
import { type ImportKind, MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "@innkey/shared/imports/columns";
import { ClipboardPaste, Download, FileSpreadsheet, FileUp } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { formatNumber, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { ENCODINGS } from "./decode-table.ts";
import { MEGABYTES, saveTemplate, type TableFile } from "./table-file.ts";
import type { Import } from "./use-import.ts";

const SEPARATOR_LABELS = {
  ",": "imports.separatorOf.comma",
  ";": "imports.separatorOf.semicolon",
  "\t": "imports.separatorOf.tab",
} as const satisfies Record<Separator, string>;

/** Lets the person correct the encoding and separator. Both are guessed, and usually right. */
function ReadingChoices({ flow, file }: { flow: Import; file: TableFile }) {
  const encoding = useId();
  const separator = useId();
  return (
    <div className="grid max-w-lg grid-cols-2 gap-3">
      {file.source.name !== null && (
        <div className="grid gap-1.5">
          <Label htmlFor={encoding}>{t("imports.encoding")}</Label>
          <SelectInput
            id={encoding}
            value={file.encoding}
            onChange={(next) => flow.readAs({ encoding: next })}
            options={ENCODINGS.map((value) => ({ value, label: <bdi>{value.toUpperCase()}</bdi> }))}
          />
        </div>
      )}
      <div className="grid gap-1.5">
        <Label htmlFor={separator}>{t("imports.separator")}</Label>
        <SelectInput
          id={separator}
          value={file.separator}
          onChange={(next) => flow.readAs({ separator: next })}
          options={SEPARATORS.map((value) => ({ value, label: t(SEPARATOR_LABELS[value]) }))}
        />
      </div>
    </div>
  );
}

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ACCEPTED = `.xlsx,${WORKBOOK},.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain`;

/** A workbook is a ZIP file, and no other file that people import starts with the same two bytes. */
const isWorkbook = (name: string, [first, second]: Uint8Array): boolean =>
  /\.xlsx$/i.test(name) || (first === 0x50 && second === 0x4b);

/** Source of the rows: a file, or text pasted from a spreadsheet. */
export function SourceCard({ kind, flow }: { kind: ImportKind; flow: Import }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [isDragging, setIsDragging] = useState(false);
  const [pastedText, setPastedText] = useState<string | null>(null);
  const { file } = flow;
  const { timeZone } = useHotel();
  const limits = { rows: formatNumber(MAX_IMPORT_ROWS), megabytes: MEGABYTES };

  async function readFile(selectedFile: File | undefined): Promise<void> {
    if (!selectedFile) return;
    setPastedText(null);
    const { name, size } = selectedFile;
    const bytes = new Uint8Array(await selectedFile.arrayBuffer());
    if (!isWorkbook(name, bytes)) return flow.choose({ name, bytes });
    const { readWorkbook } = await import("./read-workbook.ts");
    flow.choose({ name, size, cells: size > MAX_IMPORT_BYTES ? null : await readWorkbook(bytes) });
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsDragging(false);
    void readFile(event.dataTransfer.files[0]);
  }

  return (
    <Card>
      <CardContent className="grid gap-4">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way to do what the button in it does */}
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setIsDragging(true);
          }}
          onDragLeave={() => setIsDragging(false)}
          onDrop={drop}
          className={cn(
            "flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-dashed px-4 py-5",
            isDragging ? "border-brass bg-selected" : "border-input bg-sunken",
          )}
        >
          <FileSpreadsheet aria-hidden className="size-8 shrink-0 text-muted-foreground" strokeWidth={1.25} />
          <div className="min-w-48 flex-1">
            <p className="font-medium" dir="auto">
              {file?.source.name ?? t("imports.drop")}
            </p>
            <p className="text-sm text-muted-foreground">{t("imports.limits", limits)}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            <ActionButton variant={file ? "outline" : "default"} onClick={() => chooser.current?.click()}>
              <FileUp aria-hidden />
              {file ? t("imports.anotherFile") : t("imports.chooseFile")}
            </ActionButton>
            <Button
              variant="ghost"
              onClick={() => setPastedText((text) => (text === null ? "" : null))}
              aria-expanded={pastedText !== null}
            >
              <ClipboardPaste aria-hidden />
              {t("imports.paste")}
            </Button>
            <Button variant="ghost" onClick={() => saveTemplate(kind, hotelToday(timeZone))}>
              <Download aria-hidden />
              {t("imports.template")}
            </Button>
          </div>
          <input
            ref={chooser}
            type="file"
            accept={ACCEPTED}
            hidden
            aria-label={t("imports.chooseFile")}
            onChange={(event) => {
              void readFile(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
        </div>
        {pastedText !== null && (
          <div className="grid justify-items-start gap-2">
            <Textarea
              aria-label={t("imports.paste")}
              placeholder={t("imports.pasteHint")}
              value={pastedText}
              dir="auto"
              className="max-h-64 w-full"
              onChange={(event) => setPastedText(event.target.value)}
            />
            <Button
              variant="outline"
              disabled={pastedText.trim() === ""}
              onClick={() => flow.choose({ name: null, text: pastedText })}
            >
              {t("imports.useRows")}
            </Button>
          </div>
        )}
        {file && !("cells" in file.source) && <ReadingChoices flow={flow} file={file} />}
        {file?.problem && <Callout tone="danger" title={file.problem} />}
      </CardContent>
    </Card>
  );
}
