import { useEffect, useState } from "preact/hooks";

/** A value that follows another once it has not changed for a while. */
export function useSettled<T>(value: T, milliseconds = 160): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
