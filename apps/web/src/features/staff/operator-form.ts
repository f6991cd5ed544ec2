import { GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { type grantInput, operatorInput, type operatorRow } from "@innkey/shared/schemas/identity/staff";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { useZodForm, type ZodForm } from "@/ui/form/form.tsx";

/** Room grant as a form value. Without a period, it is permanent. */
export type GrantValue = z.input<typeof grantInput>;

export const isTemporary = ({ startsAt, endsAt }: GrantValue): boolean => Boolean(startsAt) || Boolean(endsAt);

export type OperatorRow = z.infer<typeof operatorRow>;
export type OperatorForm = UseFormReturn<z.input<typeof operatorInput>, unknown, z.output<typeof operatorInput>>;

/** Initial permissions of a new staff member. Refunds, agreed prices and customers must be granted explicitly. */
const FIRST_CAPABILITIES = GRANTABLE_CAPABILITIES.filter(
  (name) => name !== "folio.refund" && name !== "prices.agree" && name !== "customers.manage",
);

/** Form with the given staff member's data, or with the defaults for a new one. */
export function useOperatorForm(operator: OperatorRow | null): ZodForm<typeof operatorInput> {
  return useZodForm(operatorInput, {
    defaultValues: operator
      ? {
          operatorId: operator.operatorId,
          name: operator.name,
          gender: operator.gender,
          nationality: operator.nationality,
          birthDate: operator.birthDate,
          account: operator.mobile ?? operator.email ?? "",
          role: operator.role === "administrator" ? "administrator" : "staff",
          capabilities: operator.capabilities,
          grants: operator.grants,
          apiKeyAuth: operator.apiKeyAuth,
        }
      : {
          name: "",
          gender: null,
          nationality: null,
          birthDate: null,
          account: "",
          role: "staff",
          capabilities: FIRST_CAPABILITIES,
          grants: [],
          apiKeyAuth: false,
        },
  });
}
