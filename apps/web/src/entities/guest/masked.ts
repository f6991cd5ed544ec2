/** Whether a document's number came with its middle hidden: it can be shown, never sent back. */
export function isMasked(documentNumber: string): boolean {
  return /[•*]/.test(documentNumber);
}
