import { SEPARATORS, type Separator } from "@innkey/shared/imports/csv";
import { useId } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Label } from "@/ui/primitives/label.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { ENCODINGS } from "./decode-table.ts";
import type { TableFile } from "./table-file.ts";
import type { Import } from "./use-import.ts";

const SEPARATOR_WORDS = {
  ",": "imports.separatorOf.comma",
  ";": "imports.separatorOf.semicolon",
  "\t": "imports.separatorOf.tab",
} as const satisfies Record<Separator, string>;

/** Lets the person correct the encoding and separator. Both are guessed, and usually right. */
export function ReadingChoices({ flow, file }: { flow: Import; file: TableFile }) {
  const { t } = useTranslation();
  const encoding = useId();
  const separator = useId();
  return (
    <div className="grid max-w-lg grid-cols-2 gap-3">
      {file.source.name !== null && (
        <div className="grid gap-1.5">
          <Label htmlFor={encoding}>{t("imports.encoding")}</Label>
          <Select
            id={encoding}
            value={file.encoding}
            onChange={(next) => flow.readAs({ encoding: next })}
            options={ENCODINGS.map((value) => ({ value, label: <bdi>{value.toUpperCase()}</bdi> }))}
          />
        </div>
      )}
      <div className="grid gap-1.5">
        <Label htmlFor={separator}>{t("imports.separator")}</Label>
        <Select
          id={separator}
          value={file.separator}
          onChange={(next) => flow.readAs({ separator: next })}
          options={SEPARATORS.map((value) => ({ value, label: t(SEPARATOR_WORDS[value]) }))}
        />
      </div>
    </div>
  );
}
