import { failureOf, failureText } from "@/lib/api-error.ts";
import { textOf } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";

/** Brings a picture in and answers its file's id; it is thrown away unless somebody is enrolled with it. */
export async function uploadFace(picture: Blob): Promise<string> {
  const body = new FormData();
  body.append("file", picture, picture instanceof File ? picture.name : "camera.jpg");
  const response = await rest("/api/files?kind=face", { method: "POST", body });
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** Why the picture was not taken: what the server says of the file itself, if it does. */
export function uploadFailureText(error: unknown): string {
  const failure = failureOf(error);
  const file = failure.fields?.file;
  return file ? textOf(file.key, file.params, "errors.file_not_image") : failureText(failure);
}
