import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface Props {
  /** Title of the tab. */
  title: string;
  /** Added to the class of the element: "narrow" for text and forms, "full" for boards. */
  width?: "narrow" | "full";
  children: ComponentChildren;
}

/** The content of a page. */
export function Main({ title, width, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Sengoku`;
  }, [title]);
  return (
    <main class={width} tabIndex={-1}>
      {children}
    </main>
  );
}
