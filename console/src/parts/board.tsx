import { useEffect, useRef } from "preact/hooks";

/** A picture that the server drew, inserted as elements so that its parts can be found and clicked. */
export function Board({ svg, label }: { svg: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    picture.setAttribute("aria-label", label);
    picture.setAttribute("role", "img");
    holder.current?.replaceChildren(document.importNode(picture, true));
  }, [svg, label]);
  return <div class="board" ref={holder} />;
}
