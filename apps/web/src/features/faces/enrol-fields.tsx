import { enrolFaceInput, grantFaceInput } from "@innkey/shared/schemas/access/faces";
import * as f from "@innkey/shared/schemas/fields";
import { useMutation } from "@tanstack/react-query";
import { Camera, ImageUp, ScanFace, X } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { z } from "zod";
import { t, textOf } from "@/lib/i18n.ts";
import { failureOf, failureText, rest } from "@/lib/rest.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/form.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Reason why the camera failed: no permission, no camera, in use by another program, or a page without HTTPS. */
type CameraFailure = "denied" | "missing" | "busy" | "insecure";
type CameraState = { kind: "off" | "starting" | "on" } | { kind: "failed"; reason: CameraFailure };

const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 960 } },
};
const JPEG_QUALITY = 0.92;

function cameraFailureOf(error: unknown): CameraFailure {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "busy";
}

function stopStream(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

type CameraControl = {
  state: CameraState;
  video: RefObject<HTMLVideoElement | null>;
  start: () => Promise<void>;
  stop: () => void;
  /** Returns the current camera image as a JPEG; null before the first image. */
  takePicture: () => Promise<Blob | null>;
};

/** Controls the desk's camera, which is on only while its image is shown. */
function useCamera(): CameraControl {
  const [state, setState] = useState<CameraState>({ kind: "off" });
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream | null>(null);
  const isUnmounted = useRef(false);

  const stop = useCallback(() => {
    stopStream(stream.current);
    stream.current = null;
    setState({ kind: "off" });
  }, []);

  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      stopStream(stream.current);
      stream.current = null;
    };
  }, []);

  const on = state.kind === "on";
  useEffect(() => {
    if (on && video.current) video.current.srcObject = stream.current;
  }, [on]);

  async function start(): Promise<void> {
    if (navigator.mediaDevices === undefined) return setState({ kind: "failed", reason: "insecure" });
    setState({ kind: "starting" });
    try {
      const newStream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
      if (isUnmounted.current) return stopStream(newStream);
      stream.current = newStream;
      setState({ kind: "on" });
    } catch (error) {
      setState({ kind: "failed", reason: cameraFailureOf(error) });
    }
  }

  async function takePicture(): Promise<Blob | null> {
    const source = video.current;
    if (!source?.videoWidth) return null;
    const canvas = document.createElement("canvas");
    canvas.width = source.videoWidth;
    canvas.height = source.videoHeight;
    canvas.getContext("2d")?.drawImage(source, 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  }

  return { state, video, start, stop, takePicture };
}

/** File types that the server can decode. A phone that takes HEIC pictures sends JPEG, because HEIC isn't among them. */
const ACCEPTED = "image/jpeg,image/png,image/webp";

type FacePictureFieldProps = {
  /** Id of the uploaded file, or "". */
  value: string;
  onChange: (fileId: string) => void;
  id?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
};

/** Takes a face picture with the desk's camera or from a file. The server checks it at once. */
function FacePictureField({ value, onChange, id, ...labels }: FacePictureFieldProps) {
  const camera = useCamera();
  const file = useRef<HTMLInputElement>(null);
  const upload = useMutation({ mutationFn: uploadFace, meta: { shownInForm: true }, onSuccess: onChange });
  const isCameraOn = camera.state.kind === "on";

  async function captureAndUpload(): Promise<void> {
    const picture = await camera.takePicture();
    if (!picture) return;
    camera.stop();
    upload.mutate(picture);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's frame already has a label, which a fieldset would repeat
    <div role="group" id={id} {...labels}>
      <div className="flex flex-wrap items-start gap-4">
        <span className="grid aspect-4/3 w-full max-w-64 place-items-center overflow-hidden rounded-lg border bg-sunken text-faint-foreground">
          {isCameraOn ? (
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
          {isCameraOn ? (
            <>
              <ActionButton needsServer={false} onClick={() => void captureAndUpload()}>
                <Camera aria-hidden />
                {t("face.take")}
              </ActionButton>
              <Button variant="ghost" onClick={camera.stop}>
                <X aria-hidden />
                {t("face.stopCamera")}
              </Button>
            </>
          ) : (
            <>
              <ActionButton
                variant="outline"
                pending={camera.state.kind === "starting" || upload.isPending}
                needsServer={false}
                onClick={() => {
                  upload.reset();
                  void camera.start();
                }}
              >
                <Camera aria-hidden />
                {t("face.useCamera")}
              </ActionButton>
              <ActionButton variant="outline" pending={upload.isPending} onClick={() => file.current?.click()}>
                <ImageUp aria-hidden />
                {t("face.chooseFile")}
              </ActionButton>
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
            if (picture) upload.mutate(picture);
            event.target.value = "";
          }}
        />
      </div>
      {camera.state.kind === "failed" && (
        <Callout tone="warning" className="mt-3" title={t(`face.camera.${camera.state.reason}.title`)}>
          {t(`face.camera.${camera.state.reason}.text`)}
        </Callout>
      )}
      {upload.error && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {uploadFailureText(upload.error)}
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

/** Form for enrolling a face; it requires a picture and the person's consent. */
export const enrolForm = enrolFaceInput.extend({
  fileId: z.string().min(1, f.v.required),
  consent: z.boolean().refine((value) => value, f.v.required),
});

/** Form for granting a face access to doors for a period. */
export const grantForm = z
  .object({
    faceId: z.number(),
    roomIds: z.array(z.number()).min(1, f.v.required),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
  })
  .transform(({ ends, ...values }, ctx) => {
    const hasEnd = ends === "until";
    const parsed = grantFaceInput.safeParse({ ...values, validTo: hasEnd ? values.validTo : null });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: values });
    if (hasEnd && values.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: values });
    return parsed.data ?? z.NEVER;
  });

type EnrolFieldsProps = {
  form: ZodForm<typeof enrolForm>;
  /** Field for choosing the guest. */
  children: ReactNode;
};

export function EnrolFields({ form, children }: EnrolFieldsProps) {
  return (
    <>
      <Field form={form} name="fileId" label={t("face.picture")} layout="group" required>
        {({ value, onChange, id, ...control }) => (
          <FacePictureField
            id={id}
            value={value}
            onChange={(fileId) => {
              onChange(fileId);
              form.clearErrors("fileId");
            }}
            aria-labelledby={`${id}-label`}
            aria-describedby={control["aria-describedby"]}
          />
        )}
      </Field>
      <Field form={form} name="note" label={t("face.note")} hint={t("face.noteHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} dir="auto" />}
      </Field>
      {children}
      <Field form={form} name="consent" label={t("face.consent")} hint={t("face.consentText")} layout="inline" required>
        {(control) => <CheckboxInput {...control} />}
      </Field>
    </>
  );
}
