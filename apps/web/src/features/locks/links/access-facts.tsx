import { Copy } from "lucide-react";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

/** Values to type into a lock or gateway, each with a button that copies it. */
export function AccessFacts({ facts }: { facts: readonly (readonly [label: string, value: string | null])[] }) {
  const { t } = useTranslation();
  return (
    <dl className="divide-y rounded-lg border bg-sunken">
      {facts.flatMap(([label, value]) =>
        value ? (
          <div key={label} className="relative py-2 ps-4 pe-12">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd dir="ltr" className="font-mono text-sm wrap-anywhere rtl:text-end">
              {value}
            </dd>
            <dd className="absolute inset-y-0 end-2 grid place-items-center">
              <IconButton
                icon={Copy}
                size="iconSm"
                label={t("locks.copyNamed", { name: label })}
                onClick={() => void copyText(value)}
              />
            </dd>
          </div>
        ) : (
          []
        ),
      )}
    </dl>
  );
}
