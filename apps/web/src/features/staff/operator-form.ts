import { type grantInput, operatorInput, type operatorRow } from "@innkey/shared/schemas/identity/staff";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { JOB_CAPABILITIES } from "./jobs.ts";

/** Room grant as a form value. Without a period, it is permanent. */
export type GrantValue = z.input<typeof grantInput>;

export const isTemporary = ({ startsAt, endsAt }: GrantValue): boolean => Boolean(startsAt) || Boolean(endsAt);

export type OperatorRow = z.infer<typeof operatorRow>;
export type OperatorForm = UseFormReturn<z.input<typeof operatorInput>, unknown, z.output<typeof operatorInput>>;

/** Form with the given staff member's data, or for a new one with all rooms and what the front desk needs. */
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
          allRooms: operator.allRooms,
          apiKeyAuth: operator.apiKeyAuth,
        }
      : {
          name: "",
          gender: null,
          nationality: null,
          birthDate: null,
          account: "",
          role: "staff",
          capabilities: [...JOB_CAPABILITIES.frontDesk],
          grants: [],
          allRooms: true,
          apiKeyAuth: false,
        },
  });
}
