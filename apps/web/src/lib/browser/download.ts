/** Downloads a URL under `name`, or under the file name that the server sends. */
export function download(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

export const exportFileUrl = (exportId: string): string => `/api/exports/${exportId}/file`;

/** Returns the file name of a response (source: RFC 6266). */
export function fileNameOf(response: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : "export";
}

/** Saves the body of a response as a file. */
export async function saveResponse(response: Response): Promise<void> {
  const url = URL.createObjectURL(await response.blob());
  download(url, fileNameOf(response));
  // The browser starts saving before the next task runs.
  setTimeout(() => URL.revokeObjectURL(url));
}
