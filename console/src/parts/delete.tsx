import { useEffect, useState } from "preact/hooks";

/** A button that wants to be pressed twice. */
export function Delete({ disabled, sure }: { disabled: boolean; sure: () => void }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    const timer = asked ? setTimeout(() => setAsked(false), 4000) : 0;
    return () => clearTimeout(timer);
  }, [asked]);
  return (
    <button type="button" disabled={disabled} onClick={() => (asked ? sure() : setAsked(true))}>
      {asked ? "Really delete?" : "Delete"}
    </button>
  );
}
