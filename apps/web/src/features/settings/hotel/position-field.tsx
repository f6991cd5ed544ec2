import { LocateFixed, MapPinOff } from "lucide-react";
import { useId, useState } from "react";
import { type TextKey, t } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { FieldFrame, fieldMarks } from "@/ui/form/field-frame.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { type Coordinates, coordinatesAt, coordinatesOf } from "./map-link.ts";

type PositionFieldProps = { hasPosition: boolean; onChange: (position: Coordinates | null) => void };

/** Sets the hotel's coordinates from a pasted map link or from the device, or clears them. */
export function PositionField({ hasPosition, onChange }: PositionFieldProps) {
  const id = useId();
  const [link, setLink] = useState("");
  const devicePosition = useOwnPosition(onChange);
  const message = link.trim() !== "" && !coordinatesOf(link) ? t("map.noPlace") : undefined;

  function read(text: string): void {
    setLink(text);
    const position = coordinatesOf(text);
    if (position) onChange(position);
  }

  return (
    <div className="grid gap-4 sm:col-span-2">
      <FieldFrame id={id} label={t("map.link")} hint={t("map.linkHint")} message={message} quiet>
        <Input
          {...fieldMarks(id, { message, hint: t("map.linkHint") })}
          dir="ltr"
          inputMode="url"
          maxLength={2000}
          value={link}
          onChange={({ target }) => read(target.value)}
        />
      </FieldFrame>
      <div className="flex flex-wrap gap-2">
        <ActionButton
          variant="outline"
          pending={devicePosition.isAsking}
          needsServer={false}
          onClick={devicePosition.ask}
        >
          <LocateFixed aria-hidden />
          {t("map.mine")}
        </ActionButton>
        {hasPosition && (
          <Button
            variant="ghost"
            onClick={() => {
              setLink("");
              onChange(null);
            }}
          >
            <MapPinOff aria-hidden />
            {t("map.remove")}
          </Button>
        )}
      </div>
      {devicePosition.problem && (
        <p role="alert" className="text-sm font-medium text-danger">
          {t(devicePosition.problem)}
        </p>
      )}
    </div>
  );
}

const TIMEOUT_MS = 15_000;

/** Asks the device for its position; the browser first asks the user. `problem` is the reason if this fails. */
function useOwnPosition(onFound: (position: Coordinates) => void) {
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  function ask(): void {
    setProblem(null);
    if (!("geolocation" in navigator) || !window.isSecureContext) {
      setProblem("map.unavailable");
      return;
    }
    setIsAsking(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setIsAsking(false);
        const position = coordinatesAt(String(coords.latitude), String(coords.longitude));
        if (position) onFound(position);
        else setProblem("map.unavailable");
      },
      ({ code, PERMISSION_DENIED }) => {
        setIsAsking(false);
        setProblem(code === PERMISSION_DENIED ? "map.denied" : "map.unavailable");
      },
      { enableHighAccuracy: true, timeout: TIMEOUT_MS },
    );
  }

  return { ask, isAsking, problem };
}
