import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentityProvider } from './identity-provider.mjs';
import { call } from './world.mjs';

const CONCURRENT = 16;

/** Each login comes from an address of its own: one address has 60 a minute. */
const anyAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

/** Signs in to the dashboard `perSecond` times a second; `stop` gives how many sign-ins succeeded and failed. */
export function startPasswordSignIns(url, account, perSecond) {
  const figures = { signedIn: 0, failed: 0 };
  const running = new Set();
  const signIn = async () => {
    const headers = { 'x-forwarded-for': anyAddress() };
    await call(url, 'POST', '/auth/login', headers, account).then(
      () => figures.signedIn++,
      () => figures.failed++,
    );
  };
  const timer = setInterval(() => {
    const one = signIn().finally(() => running.delete(one));
    running.add(one);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return figures;
    },
  };
}

/** Lets customers of the world sign in, and signs `count` of them in. */
export async function arrangeSignIn(url, { path, backendHeaders, sdkHeaders }, count) {
  const provider = await startIdentityProvider();
  await call(url, 'POST', `${path}/auth/settings`, backendHeaders, { enabled: true });
  await call(url, 'POST', `${path}/auth/providers`, backendHeaders, {
    kind: 'oidc',
    issuer: provider.issuer,
    audiences: ['bench'],
    jwks_url: provider.jwksUrl,
  });
  const idTokens = Array.from({ length: count }, (_, n) => provider.idToken(`customer-${n}`));
  const tokens = [];
  const signIn = async (mine) => {
    for (const idToken of mine) {
      const headers = { ...sdkHeaders, 'x-forwarded-for': anyAddress() };
      const { json } = await call(url, 'POST', '/v1/auth/login', headers, {
        method: 'oidc',
        id_token: idToken,
      });
      tokens.push(json.access_token);
    }
  };
  const shares = Array.from({ length: CONCURRENT }, (_, n) =>
    idTokens.filter((__, i) => i % CONCURRENT === n),
  );
  await Promise.all(shares.map(signIn));
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-tokens-'));
  const file = join(folder, 'tokens.json');
  writeFileSync(file, JSON.stringify({ tokens, idTokens }));
  return {
    file,
    stop() {
      provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
