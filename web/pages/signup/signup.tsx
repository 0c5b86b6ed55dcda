/** Signing up. */
import { requireCookies } from "../../lib/cookies.js";
import { change } from "../../lib/graphql.js";
import { nextUrl, viewerChanged } from "../../lib/session.js";
import { useTitle } from "../../lib/title.js";
import { zoneOfBrowser } from "../../lib/zone.js";
import { Form, fieldText, TextField, useForm } from "../../parts/form.js";
import { SignedIn } from "../../parts/signed-in.js";
import type { Place } from "../../routes.js";
import { SetTimeZoneDocument, SignUpDocument } from "./__generated__/signup.js";

export function Page({ place }: { place: Place }) {
  useTitle("Sign up");
  const next = nextUrl(place.query);
  const sending = useForm(async (data) => {
    requireCookies();
    const email = fieldText(data, "email").trim();
    const account = { name: fieldText(data, "name"), password: fieldText(data, "password") };
    await change(SignUpDocument, { input: { ...account, ...(email ? { email } : {}) } });
    await change(SetTimeZoneDocument, { timeZone: zoneOfBrowser() }).catch(() => undefined); // it can be set later
    viewerChanged(next);
  });
  const { problem } = sending;
  return (
    <div class="Sheet">
      <h1>Sign up</h1>
      <SignedIn />
      <Form label="Sign up" submit="Sign up" sending={sending}>
        <TextField
          name="name"
          label="Name"
          hint="2 to 100 characters of one alphabet: no spaces or : , * ~, no _ or - at the beginning, no _ at the end."
          autocomplete="username"
          isRequired
          problem={problem}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          hint="8 characters or more."
          autocomplete="new-password"
          isRequired
          problem={problem}
        />
        <TextField name="email" label="E-mail" type="email" hint="Optional." autocomplete="email" problem={problem} />
      </Form>
      <p>
        Already have an account? <a href={`/login?next=${encodeURIComponent(next)}`}>Sign in</a>
      </p>
    </div>
  );
}
