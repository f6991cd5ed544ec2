import { type ReactNode, useState } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { toast } from "@/lib/toast.ts";
import { ProofDialog } from "./proof-dialog.tsx";

/**
 * Runs a security-sensitive action and asks for the password or a passkey if the last proof is too old. Returns null if
 * the person cancels, or after it has shown the error of a failed action.
 */
export type Proved = <T>(act: () => Promise<T>) => Promise<T | null>;

export function useProof(): { proved: Proved; dialog: ReactNode } {
  const [pendingProof, setPendingProof] = useState<{ answer: (proved: boolean) => void }>();

  async function proved<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== "proof_needed") {
        toast.error(failureText(failure));
        return null;
      }
    }
    const confirmed = await new Promise<boolean>((answer) => setPendingProof({ answer }));
    setPendingProof(undefined);
    return confirmed ? proved(act) : null;
  }

  return { proved, dialog: pendingProof && <ProofDialog onAnswer={pendingProof.answer} /> };
}
