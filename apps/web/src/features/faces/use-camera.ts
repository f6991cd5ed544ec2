import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Reason why the camera failed: no permission, no camera, in use by another program, or a page without HTTPS. */
export type CameraTrouble = "denied" | "missing" | "busy" | "insecure";
export type CameraState = { kind: "off" | "starting" | "on" } | { kind: "failed"; why: CameraTrouble };

const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 960 } },
};
const JPEG_QUALITY = 0.92;

function troubleOf(error: unknown): CameraTrouble {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "busy";
}

function end(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

type Camera = {
  state: CameraState;
  video: RefObject<HTMLVideoElement | null>;
  start: () => Promise<void>;
  stop: () => void;
  /** Returns the current camera image as a JPEG; null before the first image. */
  take: () => Promise<Blob | null>;
};

/** Controls the desk's camera, which is on only while its image is shown. */
export function useCamera(): Camera {
  const [state, setState] = useState<CameraState>({ kind: "off" });
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream | null>(null);
  const unmounted = useRef(false);

  const stop = useCallback(() => {
    end(stream.current);
    stream.current = null;
    setState({ kind: "off" });
  }, []);

  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
      end(stream.current);
      stream.current = null;
    };
  }, []);

  const on = state.kind === "on";
  useEffect(() => {
    if (on && video.current) video.current.srcObject = stream.current;
  }, [on]);

  async function start(): Promise<void> {
    if (navigator.mediaDevices === undefined) return setState({ kind: "failed", why: "insecure" });
    setState({ kind: "starting" });
    try {
      const opened = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
      if (unmounted.current) return end(opened);
      stream.current = opened;
      setState({ kind: "on" });
    } catch (error) {
      setState({ kind: "failed", why: troubleOf(error) });
    }
  }

  async function take(): Promise<Blob | null> {
    const source = video.current;
    if (!source?.videoWidth) return null;
    const canvas = document.createElement("canvas");
    canvas.width = source.videoWidth;
    canvas.height = source.videoHeight;
    canvas.getContext("2d")?.drawImage(source, 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  }

  return { state, video, start, stop, take };
}
