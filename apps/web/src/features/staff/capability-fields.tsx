import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { useId } from "react";
import { areasOf } from "@/lib/capability-areas.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";

type CapabilityFieldsProps = { value: readonly string[]; onChange: (names: string[]) => void };

/** What a member of staff may do, ticked area by area. */
export function CapabilityFields({ value, onChange }: CapabilityFieldsProps) {
  const { t } = useTranslation();
  const id = useId();

  function toggle(name: Capability, on: boolean): void {
    onChange(GRANTABLE_CAPABILITIES.filter((one) => (one === name ? on : value.includes(one))));
  }

  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t("staff.mayDo")}</legend>
      <div className="grid gap-x-8 rounded-md border sm:grid-cols-2">
        {areasOf(GRANTABLE_CAPABILITIES).map(({ area, names }) => (
          <fieldset key={area} aria-label={t(`staff.area.${area}`)} className="px-4 py-3">
            <p className="mb-1.5 text-xs font-medium text-muted-foreground">{t(`staff.area.${area}`)}</p>
            <div className="grid gap-2">
              {names.map((name) => (
                <div key={name} className="flex items-start gap-2.5">
                  <Checkbox id={`${id}${name}`} value={value.includes(name)} onChange={(on) => toggle(name, on)} />
                  <label htmlFor={`${id}${name}`}>{t(`staff.capability.${name}`)}</label>
                </div>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
