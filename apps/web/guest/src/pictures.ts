import { h } from "./elements.ts";
import { t } from "./texts.ts";

/** A part of the form that asks for a picture; `read` returns it as base64, null if the guest gave none. */
export interface PictureField {
  rows: HTMLElement[];
  read(): Promise<string | null>;
}

/** The server stores no more. */
const MAX_PHOTO_PX = 1600;
const QUALITY = 0.82;
const [WIDTH, HEIGHT] = [640, 240];

/** Returns what follows the type in a data: address. */
const base64Of = (dataUrl: string): string => dataUrl.slice(dataUrl.indexOf(",") + 1);

const sentHint = (isSent: boolean): HTMLElement | null =>
  isSent ? h("p", { class: "quiet" }, t("guestPage.preCheckIn.pictureSent")) : null;

const present = (...rows: (HTMLElement | null)[]): HTMLElement[] => rows.filter((row) => row !== null);

/** Asks for a signature: drawn, or the typed name for those who can't draw. */
export function signatureField(isSent: boolean): PictureField {
  const canvas = h("canvas", {
    ...{ id: "signature", width: String(WIDTH), height: String(HEIGHT), role: "img" },
    "aria-label": t("guestPage.preCheckIn.signature"),
  });
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  let isDrawn = false;
  function clear(): void {
    isDrawn = false;
    // White also in the dark: it is printed later.
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    pen.fillStyle = pen.strokeStyle = "#000";
    pen.lineWidth = 4;
    pen.lineCap = pen.lineJoin = "round";
  }
  clear();
  const at = ({ offsetX, offsetY }: PointerEvent): [number, number] => [
    (offsetX * WIDTH) / canvas.clientWidth,
    (offsetY * HEIGHT) / canvas.clientHeight,
  ];
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    isDrawn = true;
    pen.beginPath();
    pen.moveTo(...at(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    pen.lineTo(...at(event));
    pen.stroke();
  });
  const name = h("input", { id: "typed-signature", type: "text", maxlength: "60", dir: "auto", autocomplete: "name" });
  const tick = h("input", { id: "signs-typed", type: "checkbox" });
  const rows = present(
    h("p", {}, t("guestPage.preCheckIn.signature")),
    sentHint(isSent),
    h("p", { class: "quiet" }, t("guestPage.preCheckIn.signatureText")),
    canvas,
    h(
      "button",
      { id: "clear-signature", type: "button", class: "second", click: clear },
      t("guestPage.preCheckIn.clear"),
    ),
    h("label", { for: "typed-signature" }, t("guestPage.preCheckIn.typedSignature")),
    name,
    h("label", { class: "tick" }, tick, t("guestPage.preCheckIn.signsTyped")),
  );
  return {
    rows,
    async read() {
      const typed = tick.checked ? name.value.trim() : "";
      if (!isDrawn && typed === "") return null;
      if (!isDrawn) {
        pen.font = "italic 56px serif";
        pen.fillText(typed, 24, HEIGHT / 2, WIDTH - 48);
      }
      return base64Of(canvas.toDataURL("image/png"));
    },
  };
}

/** Asks for a photo of the document, taken now or chosen. */
export function photoField(isSent: boolean): PictureField {
  const input = h("input", { id: "document-photo", type: "file", accept: "image/*", capture: "environment" });
  return {
    rows: present(
      h("label", { for: "document-photo" }, t("guestPage.preCheckIn.photo")),
      sentHint(isSent),
      input,
      h("p", { class: "quiet" }, t("guestPage.preCheckIn.photoText")),
    ),
    async read() {
      const file = input.files?.[0];
      return file ? base64Of(await reduce(file)) : null;
    },
  };
}

/** A photo that this browser can't read. */
export class UnreadablePhoto extends Error {}

/** Returns a photo as the data: address of a JPEG that is no larger than what is stored. @throws UnreadablePhoto */
async function reduce(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnreadablePhoto();
  });
  const scale = Math.min(1, MAX_PHOTO_PX / Math.max(picture.width, picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const canvas = h("canvas", { width: String(width), height: String(height) });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
  picture.close();
  return canvas.toDataURL("image/jpeg", QUALITY);
}
