import { useLayoutEffect, useRef } from "preact/hooks";

/** A picture that the server drew, inserted as elements, so that no policy is needed for its content. */
export function Picture({ svg, label }: { svg: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    holder.current?.replaceChildren(parsePicture(svg, label));
  }, [svg, label]);
  return <div class="picture" ref={holder} />;
}

/** The element of a picture. Scripts in it would not run: the policy of the page forbids them. */
export function parsePicture(svg: string, label: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true) as unknown as SVGSVGElement;
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  // The tooltip of the whole picture would cover those of its parts.
  picture.querySelector(":scope > title")?.remove();
  return picture;
}
