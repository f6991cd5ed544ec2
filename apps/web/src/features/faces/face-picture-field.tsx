import { useMutation } from "@tanstack/react-query";
import { Camera, ImageUp, ScanFace, X } from "lucide-react";
import { useRef } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { useCamera } from "./use-camera.ts";

/** File types that the server can decode; phones use several names for HEIC. */
const ACCEPTED = "image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif";

type FacePictureFieldProps = {
  /** Id of the uploaded file, or "". */
  value: string;
  onChange: (fileId: string) => void;
  id?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
};

/** Takes a face picture with the desk's camera or from a file. The server checks it at once. */
export function FacePictureField({ value, onChange, id, ...labels }: FacePictureFieldProps) {
  const { t } = useTranslation();
  const camera = useCamera();
  const file = useRef<HTMLInputElement>(null);
  const send = useMutation({ mutationFn: uploadFace, meta: { shownInForm: true }, onSuccess: onChange });
  const looking = camera.state.kind === "on";

  async function shoot(): Promise<void> {
    const picture = await camera.take();
    if (!picture) return;
    camera.stop();
    send.mutate(picture);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's frame holds a label already, which a fieldset would repeat
    <div role="group" id={id} {...labels}>
      <div className="flex flex-wrap items-start gap-4">
        <span className="grid aspect-4/3 w-full max-w-64 place-items-center overflow-hidden rounded-lg border bg-sunken text-faint-foreground">
          {looking ? (
            <video
              ref={camera.video}
              autoPlay
              playsInline
              muted
              aria-label={t("face.cameraPicture")}
              className="size-full -scale-x-100 object-cover"
            />
          ) : value ? (
            <img src={`/files/${value}`} alt={t("face.chosenPicture")} className="size-full object-cover" />
          ) : (
            <ScanFace aria-hidden className="size-10" strokeWidth={1.25} />
          )}
        </span>
        <div className="grid min-w-40 flex-1 content-start justify-items-start gap-2">
          {looking ? (
            <>
              <Button variant="primary" needsServer={false} onClick={() => void shoot()}>
                <Camera aria-hidden />
                {t("face.take")}
              </Button>
              <Button variant="ghost" onClick={camera.stop}>
                <X aria-hidden />
                {t("face.stopCamera")}
              </Button>
            </>
          ) : (
            <>
              <Button
                pending={camera.state.kind === "starting" || send.isPending}
                needsServer={false}
                onClick={() => {
                  send.reset();
                  void camera.start();
                }}
              >
                <Camera aria-hidden />
                {t("face.useCamera")}
              </Button>
              <Button pending={send.isPending} onClick={() => file.current?.click()}>
                <ImageUp aria-hidden />
                {t("face.chooseFile")}
              </Button>
            </>
          )}
          <p className="text-sm text-pretty text-muted-foreground">{t("face.pictureHint")}</p>
        </div>
        <input
          ref={file}
          type="file"
          accept={ACCEPTED}
          hidden
          aria-label={t("face.chooseFile")}
          onChange={(event) => {
            const picture = event.target.files?.[0];
            if (picture) send.mutate(picture);
            event.target.value = "";
          }}
        />
      </div>
      {camera.state.kind === "failed" && (
        <Alert tone="warning" className="mt-3" title={t(`face.camera.${camera.state.why}.title`)}>
          {t(`face.camera.${camera.state.why}.text`)}
        </Alert>
      )}
      {send.error && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {uploadFailureText(send.error)}
        </p>
      )}
    </div>
  );
}

/** Uploads a picture and returns its file id. The server deletes the file unless a face is enrolled with it. */
async function uploadFace(picture: Blob): Promise<string> {
  const body = new FormData();
  body.append("file", picture, picture instanceof File ? picture.name : "camera.jpg");
  const response = await rest("/api/files?kind=face", { method: "POST", body });
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** Returns the reason why the upload failed, preferring the server's message about the file itself. */
function uploadFailureText(error: unknown): string {
  const failure = failureOf(error);
  const file = failure.fields?.file;
  return file ? textOf(file.key, file.params, "errors.file_not_image") : failureText(failure);
}
