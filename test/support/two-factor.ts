import { codeOfStep, stepAt } from '../../src/workspace/accounts/two-factor/totp.js';
import type { SignedUp } from './arrange.js';
import { PASSWORD } from './arrange.js';
import type { TestServer } from './test-server.js';

/** An authenticator app. */
export interface Authenticator {
  secret: string;
  /** The code of the present step, or of one some steps away. */
  code(away?: number): string;
  /** Goes to the next step, whose code was never used. */
  freshCode(): string;
  recoveryCodes: string[];
}

export function authenticator(
  server: TestServer,
  secret: string,
  recoveryCodes: string[] = [],
): Authenticator {
  const code = (away = 0): string => codeOfStep(secret, stepAt(server.clock.nowMs()) + away);
  return {
    secret,
    code,
    freshCode() {
      server.clock.advanceMs(30_000);
      return code();
    },
    recoveryCodes,
  };
}

export async function enableTwoFactor(server: TestServer, { session }: SignedUp): Promise<Authenticator> {
  const { body } = await session.post('/auth/2fa/setup', { password: PASSWORD });
  const app = authenticator(server, body.secret as string);
  const enabled = await session.post('/auth/2fa/enable', { code: app.freshCode() });
  if (enabled.status !== 200) throw new Error(enabled.text);
  return { ...app, recoveryCodes: enabled.body.recovery_codes as string[] };
}

/** A login token, for a person whose account has two-factor on. */
export async function startSignIn(server: TestServer, { email }: SignedUp): Promise<string> {
  const { body } = await server.http.post('/auth/login', { email, password: PASSWORD });
  return body.login_token as string;
}
