// Addresses of pages: the path says which page, the fragment what it shows.

import type { AnchorHTMLAttributes, ComponentChildren, ComponentType } from "preact";
import { useEffect, useMemo, useState, useSyncExternalStore } from "preact/compat";
import { Failure } from "./parts/failure";
import { Loading } from "./parts/loading";

/** A page of the console. Its code is loaded when it is first opened. */
export interface Page {
  /** The path; a part that begins with a colon stands for anything, e.g. "/match/:id". */
  path: string;
  /** Its name in the navigation; pages without one are reached from others. */
  label?: string;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
}

/** What a page gets: the parts of its path that stand for anything, by name. */
export interface PageProps {
  params: Record<string, string>;
}

const MOVED = "sengoku:moved";

/** Opens an address of the console. `replace` leaves no step back to the current one. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  window.dispatchEvent(new Event(MOVED));
}

function subscribe(listener: () => void): () => void {
  const events = ["popstate", "hashchange", MOVED];
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}

/** The current path, always up to date. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

/** The current fragment without its sign, always up to date. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => decodeURIComponent(location.hash.slice(1)));
}

/** The parameters after the path, always up to date. */
export function useQuery(): URLSearchParams {
  const text = useSyncExternalStore(subscribe, () => location.search);
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** A link within the console. */
export function Link({
  href,
  ...rest
}: AnchorHTMLAttributes & { href: string; children?: ComponentChildren }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}

/** The parameters of a path, or null if it is not the one of the pattern. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.replace(/(.)\/$/, "$1").split("/")];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}

/** The page of the current path. */
export function Outlet({ pages }: { pages: readonly Page[] }) {
  const path = usePath();
  for (const page of pages) {
    const params = match(page.path, path);
    if (params) return <Loaded key={page.path + JSON.stringify(params)} page={page} params={params} />;
  }
  return (
    <Failure title="There is no such page" what={`Nothing is at ${path}.`} todo="Choose a page above." />
  );
}

function Loaded({ page, params }: { page: Page; params: Record<string, string> }) {
  const [View, setView] = useState<ComponentType<PageProps> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    page.load().then(
      (module) => setView(() => module.default),
      () => setFailed(true),
    );
  }, [page]);
  if (failed) {
    return (
      <Failure
        title="This page could not be loaded"
        what="The server gave no answer, or has a newer console."
        todo="Reload the page."
      />
    );
  }
  return View ? <View params={params} /> : <Loading what="the page" />;
}
