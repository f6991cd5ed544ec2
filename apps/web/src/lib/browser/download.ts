/** Downloads the address under the file name that the server gives it. */
export function download(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

export const exportFileUrl = (exportId: string): string => `/api/exports/${exportId}/file`;

/** Returns the file name of an answer that is a file (source: RFC 6266). */
export function fileNameOf(response: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : "export";
}

/** Saves the body of an answer as a file. */
export async function saveResponse(response: Response): Promise<void> {
  const address = URL.createObjectURL(await response.blob());
  download(address, fileNameOf(response));
  // The browser starts saving before the next task runs.
  setTimeout(() => URL.revokeObjectURL(address));
}
