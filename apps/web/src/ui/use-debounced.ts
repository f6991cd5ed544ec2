import { useEffect, useState } from "react";

/** Returns `value` once it has been stable for a while. Values are compared by content, so pass plain data. */
export function useDebounced<Value>(value: Value, delayMilliseconds = 250): Value {
  const [rested, setRested] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as Value), delayMilliseconds);
    return () => clearTimeout(timer);
  }, [text, delayMilliseconds]);
  return rested;
}
