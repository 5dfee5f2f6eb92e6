import { api, call } from '../../api/client.js';
import { nextPath } from '../../frame/next-path.js';

/** Where people of this address sign in; null if with a password. @throws CallError */
export async function ssoAddressOf(email: string, next: string): Promise<string | null> {
  const { sso, url } = await call(api.POST('/sso/lookup', { body: { email, next } }));
  return sso && url !== null ? nextPath(url, location.origin) : null;
}
