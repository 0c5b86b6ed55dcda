/** Signing in. */
import { requireCookies } from "../../lib/cookies.js";
import { isWrongPassword, Problem, problemIn } from "../../lib/errors.js";
import { change } from "../../lib/graphql.js";
import { nextUrl, viewerChanged } from "../../lib/session.js";
import { useTitle } from "../../lib/title.js";
import { Form, fieldText, TextField, useForm } from "../../parts/form.js";
import { SignedIn } from "../../parts/signed-in.js";
import type { Place } from "../../routes.js";
import { SignInDocument } from "./__generated__/login.js";

/** Where the board accepts it also from an address that has no requests left. */
const SIGN_IN_URL = "/graphql/session";

const inPlainWords = (problem: Problem): Problem =>
  isWrongPassword(problem) ? new Problem("The name or the password is wrong.", problem.code) : problem;

export function Page({ place }: { place: Place }) {
  useTitle("Sign in");
  const next = nextUrl(place.query);
  const sending = useForm(async (data) => {
    requireCookies();
    const input = { name: fieldText(data, "name"), password: fieldText(data, "password") };
    await change(SignInDocument, { input }, SIGN_IN_URL).catch((error: unknown) => {
      throw inPlainWords(problemIn(error));
    });
    viewerChanged(next);
  });
  return (
    <div class="Sheet">
      <h1>Sign in</h1>
      <SignedIn />
      {place.query.has("next") && (
        <p>Sign in to go on where you were. Anything that you have written is still there.</p>
      )}
      <Form label="Sign in" submit="Sign in" sending={sending}>
        <TextField name="name" label="Name" autocomplete="username" isRequired problem={sending.problem} />
        <TextField name="password" label="Password" type="password" autocomplete="current-password" isRequired />
      </Form>
      <p>
        No account yet? <a href={`/signup?next=${encodeURIComponent(next)}`}>Sign up</a>
      </p>
      <p>
        <a href="/recover">Forgot your password?</a>
      </p>
    </div>
  );
}
