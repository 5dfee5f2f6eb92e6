import { OAuth2Server } from 'oauth2-mock-server';
import type { Clock } from '../../libs/kernel/index.js';

type Claims = Record<string, unknown>;

/** A real OpenID Connect provider on this machine, whose tokens are of the time of a test's clock. */
export class IdentityProvider {
  private constructor(
    private readonly server: OAuth2Server,
    private readonly clock: Clock,
  ) {}

  static async start(clock: Clock, alg = 'RS256'): Promise<IdentityProvider> {
    const server = new OAuth2Server();
    await server.issuer.keys.generate(alg, { kid: 'first' });
    await server.start(0, '127.0.0.1');
    return new IdentityProvider(server, clock);
  }

  get issuer(): string {
    return this.server.issuer.url ?? '';
  }

  get jwksUrl(): string {
    return `${this.issuer}/jwks`;
  }

  async rotate(kid: string, alg = 'RS256'): Promise<void> {
    await this.server.issuer.keys.generate(alg, { kid });
  }

  /** An ID token of now; claims given as undefined are left out. */
  idToken(claims: Claims, header: Claims = {}): Promise<string> {
    const nowS = Math.floor(this.clock.nowMs() / 1000);
    const kid = typeof header.kid === 'string' ? header.kid : undefined;
    return this.server.issuer.buildToken({
      kid,
      scopesOrTransform: (head, payload) => {
        Object.assign(head, header);
        Object.assign(payload, { iat: nowS, exp: nowS + 3600, nbf: nowS, ...claims });
      },
    });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
