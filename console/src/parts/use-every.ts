import { useEffect } from "preact/hooks";

/** Does something again and again while the page is seen. */
export function useEvery(milliseconds: number, action: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") action();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, action]);
}
