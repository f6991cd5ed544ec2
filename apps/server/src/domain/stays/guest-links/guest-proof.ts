import { timingSafeEqual } from "node:crypto";
import { searchText } from "@innkey/shared/search-text";
import type { Scope } from "../../../kernel/scope.ts";
import { openDocumentNumber } from "../guests/identity.ts";

/** How many characters of a document or phone number show that somebody is the guest. */
const CHARACTERS = 3;
/** Wrong answers after which a link accepts none until the desk makes a new one: at most one chance in a hundred with each link. */
export const MAX_WRONG_PROOFS = 5;

/** What is stored of a guest that they can be asked for. */
export interface Provable {
  guestId: number;
  mobile: string;
  documentNumberBox: Uint8Array | null;
  /** The link went to the phone number, so knowing that number shows nothing. */
  sentToMobile: boolean;
}

/** Returns the last characters without case and punctuation, in ASCII digits; null if there are too few. */
function endOf(text: string): string | null {
  const plain = searchText(text).replaceAll(" ", "");
  return plain.length < CHARACTERS ? null : plain.slice(-CHARACTERS);
}

const endOfDocument = (scope: Scope, { guestId, documentNumberBox }: Provable): string | null =>
  endOf(openDocumentNumber(scope, guestId, documentNumberBox));

/** Whether the phone number proves nothing: the link went to it, and a document is stored that proves more. */
export const needsDocument = (scope: Scope, guest: Provable): boolean =>
  guest.sentToMobile && endOfDocument(scope, guest) !== null;

/** Returns what proves that somebody is this guest; nothing if neither a document nor a phone number is stored. */
export function proofsOf(scope: Scope, guest: Provable): string[] {
  const phone = needsDocument(scope, guest) ? null : endOf(guest.mobile);
  return [endOfDocument(scope, guest), phone].filter((proof) => proof !== null);
}

/** Compares with each proof in constant time. An answer of another length is none. */
export function isProof(proofs: readonly string[], answer: string): boolean {
  const plainAnswer = searchText(answer).replaceAll(" ", "");
  const matches = proofs.map((proof) => {
    const [a, b] = [Buffer.from(proof), Buffer.from(plainAnswer)];
    return a.length === b.length && timingSafeEqual(a, b);
  });
  return matches.includes(true);
}
