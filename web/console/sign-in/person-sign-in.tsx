import { SERVICE, visitor } from '../shell/session';
import { useLoading } from '../ui/loading';
import { PasswordForm, type PasswordFormProps } from './password-form';

/** The ways in which people sign in to this service. */
export function PersonSignIn(form: PasswordFormProps) {
  // Most services have passwords: nobody waits for the answer.
  const ways = useLoading((signal) => visitor.auth.ways({ signal }), []).value;
  return (
    <>
      {(ways?.password ?? true) && <PasswordForm {...form} />}
      {ways?.openid && <OpenIdLink />}
    </>
  );
}

/** Leads to the OpenID provider of the service, which leads back. */
export function OpenIdLink() {
  return (
    <a class="quiet" href={`${SERVICE}/api/v1/auth/openid`}>
      Sign in with single sign-on
    </a>
  );
}
