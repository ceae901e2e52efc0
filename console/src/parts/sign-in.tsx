import { useState } from "preact/hooks";
import { CatalogService } from "../api/sengoku";
import { session } from "../api/session";
import { CallFailure } from "./failure";
import { Main } from "./main";

/** Asks for a token and tries it. */
export function SignIn() {
  const [token, setToken] = useState("");
  const [error, setError] = useState<unknown>();
  const [trying, setTrying] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrying(true);
    setError(undefined);
    const before = session.token();
    session.tryToken(token.trim());
    try {
      await CatalogService.getVersion({});
      session.signIn(token.trim());
    } catch (failure) {
      session.tryToken(before);
      setError(failure);
    } finally {
      setTrying(false);
    }
  };
  return (
    <Main title="Sign in" width="narrow">
      <form class="card stack" onSubmit={submit}>
        <h1>Sign in</h1>
        <p>
          This server asks for a token. Whoever runs it gives you one. It stays in this tab and is forgotten
          when the tab is closed.
        </p>
        <label class="field">
          Token
          <input
            type="password"
            name="token"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {error !== undefined && <CallFailure error={error} title="The token was refused" />}
        <button type="submit" class="primary" disabled={trying || token.trim() === ""}>
          {trying ? "Trying …" : "Sign in"}
        </button>
      </form>
    </Main>
  );
}
