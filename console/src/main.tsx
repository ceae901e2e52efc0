// The frame of the console: navigation, the page of the current address, and the sign-in where the server wants one.

import { render } from "preact";
import { useEffect, useSyncExternalStore } from "preact/compat";
import { session } from "./api/session";
import { pages } from "./pages";
import { SignIn } from "./parts/sign-in";
import { Link, navigate, Outlet, usePath } from "./router";

function App() {
  const refused = useSyncExternalStore(session.subscribe, session.isRefused);
  const token = useSyncExternalStore(session.subscribe, session.token);
  const path = usePath();
  useEffect(() => {
    if (path === "/") navigate("/play", { replace: true });
  }, [path]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector("main")?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <Link href="/play" class="mark">
          <img src="/icon.svg" alt="" width="26" height="26" />
          Sengoku
        </Link>
        <nav aria-label="Pages">
          {pages.map(
            (page) =>
              page.label && (
                <Link key={page.path} href={page.path} aria-current={path === page.path ? "page" : undefined}>
                  {page.label}
                </Link>
              ),
          )}
        </nav>
        {token && (
          <button type="button" class="quiet" onClick={() => session.signOut()}>
            Sign out
          </button>
        )}
      </header>
      {refused ? <SignIn /> : path !== "/" && <Outlet pages={pages} />}
    </>
  );
}

render(<App />, document.body);
