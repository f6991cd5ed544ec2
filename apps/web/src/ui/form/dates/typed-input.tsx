import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { cn } from "@/lib/cn.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { afterPress } from "../field-frame.tsx";
import { UnreadableContext } from "./unreadable.ts";

export type TextControlProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type" | "min" | "max">;

type TypedInputProps<Value> = TextControlProps & {
  /** The value as the hotel writes it; empty if there is none. */
  written: string;
  /** Reads what was typed. The text is incomplete if more may follow, such as the rest of a year. */
  read: (text: string) => { value: Value; isComplete: boolean } | null;
  /** Receives null for an empty text, and once a text is left that can't be read. */
  onRead: (value: Value | null) => void;
  /** What to say about a text that can't be read. */
  problem: string;
  /** Something inside the end of the input. */
  end?: ReactNode;
  /** How often a value was picked beside the input, which takes the place of what was typed even if it is the same. */
  picks?: number;
};

/** An input for text that means something else: it is read while it is typed, and written the usual way when left. */
export function TypedInput<Value>(props: TypedInputProps<Value>) {
  const { written, read, onRead, problem, end, picks, ref, className, onBlur, onKeyDown, ...input } = props;
  const element = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const tellField = use(UnreadableContext);
  const [typed, setTyped] = useState<string | null>(null);
  const [hasProblem, setHasProblem] = useState(false);
  const problemId = useId();
  const showsProblem = hasProblem && tellField === null;

  const attach = useCallback(
    (node: HTMLInputElement | null) => {
      element.current = node;
      if (typeof ref === "function") ref(node);
      else if (ref) ref.current = node;
    },
    [ref],
  );

  function sayProblem(isUnreadable: boolean): void {
    setHasProblem(isUnreadable);
    tellField?.(isUnreadable ? problem : null);
  }

  // A value that comes from elsewhere takes the place of what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pick counts even if nothing else changes
  useEffect(() => {
    if (written === "" || document.activeElement === element.current) return;
    setTyped(null);
    setHasProblem(false);
    tellField?.(null);
    element.current?.setCustomValidity("");
  }, [written, tellField, picks]);

  function change(text: string): void {
    setTyped(text);
    const isEmpty = text.trim() === "";
    const result = read(text);
    element.current?.setCustomValidity(isEmpty || result ? "" : problem);
    if (hasProblem && (isEmpty || result)) sayProblem(false);
    if (isEmpty) onRead(null);
    else if (result?.isComplete) onRead(result.value);
  }

  function finish(): void {
    if (typed === null) return;
    const isEmpty = typed.trim() === "";
    const result = read(typed);
    if (isEmpty || result) setTyped(null);
    // The message must not move the button that was pressed from under the pointer.
    else afterPress(() => sayProblem(true));
    if (!isEmpty) onRead(result?.value ?? null);
  }

  function leave(event: FocusEvent<HTMLInputElement>): void {
    finish();
    // The button inside the input belongs to it.
    if (!box.current?.contains(event.relatedTarget)) onBlur?.(event);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Enter") finish();
    onKeyDown?.(event);
  }

  return (
    <>
      <div ref={box} className={cn("relative", className)}>
        <Input
          autoComplete="off"
          spellCheck={false}
          {...input}
          ref={attach}
          type="text"
          aria-invalid={input["aria-invalid"] || showsProblem || undefined}
          aria-describedby={
            [input["aria-describedby"], showsProblem && problemId].filter(Boolean).join(" ") || undefined
          }
          className={cn("tabular-nums", end && "pe-9")}
          value={typed ?? written}
          onChange={(event) => change(event.target.value)}
          onBlur={leave}
          onKeyDown={press}
        />
        {end && <div className="absolute inset-y-0 end-1 flex items-center">{end}</div>}
      </div>
      {showsProblem && (
        <p id={problemId} role="alert" className="mt-1 text-sm font-medium text-pretty text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
