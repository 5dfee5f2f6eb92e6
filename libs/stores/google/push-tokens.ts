import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';

/** Google did not send the message on behalf of this developer. */
export class NotFromGoogle extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotFromGoogle';
  }
}

export interface ExpectedSender {
  audience: string;
  /** Email address of the service account; null accepts any Google account for that audience. */
  serviceAccount: string | null;
}

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const TOLERANCE_S = 60;
/** Google's tokens are valid for an hour. */
const MAX_AGE_S = 3_600;
const KEYS = { cacheMaxAge: 6 * 3_600_000, cooldownDuration: 60_000, timeoutDuration: 5_000 };
/** Google's keys could not be read. */
const notTheSendersFault = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Verifies the tokens of Pub/Sub pushes with Google's public keys. */
export class PushTokens {
  private readonly keys: JWTVerifyGetKey;

  constructor(
    certsUrl: string,
    private readonly nowMs: () => number,
  ) {
    this.keys = createRemoteJWKSet(new URL(certsUrl), KEYS);
  }

  /** @throws NotFromGoogle; any other error if Google's keys cannot be read now */
  async check(authorization: string | undefined, sender: ExpectedSender): Promise<void> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new NotFromGoogle('The push carries no token.');
    const { email, email_verified: isVerified } = await this.claimsOf(token, sender.audience);
    if (sender.serviceAccount === null) return;
    if (email !== sender.serviceAccount || isVerified !== true) {
      throw new NotFromGoogle('The push comes from another service account.');
    }
  }

  private async claimsOf(token: string, audience: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        algorithms: ['RS256'],
        issuer: ISSUERS,
        audience,
        clockTolerance: TOLERANCE_S,
        maxTokenAge: MAX_AGE_S,
        requiredClaims: ['exp', 'iat'],
        currentDate: new Date(this.nowMs()),
      });
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || notTheSendersFault.has(error.code)) throw error;
      throw new NotFromGoogle('The token of the push is not valid.');
    }
  }
}
