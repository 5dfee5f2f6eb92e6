import { api, call } from '../../api/client.js';
import { nextPath } from '../../frame/session/next-path.js';

/** Returns the single sign-on URL of an email address, or null if it uses a password. @throws CallError */
export async function ssoAddressOf(email: string, next: string): Promise<string | null> {
  const { sso, url } = await call(api.POST('/sso/lookup', { body: { email, next } }));
  return sso && url !== null ? nextPath(url, location.origin) : null;
}
