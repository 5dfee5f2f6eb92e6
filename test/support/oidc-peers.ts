import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import { Provider } from 'oidc-provider';
import type { Request } from 'express';
import { patientServer } from './patient-server.js';
import type { Clock } from '../../libs/kernel/index.js';

type Claims = Record<string, unknown>;

/** A client that the provider knows. */
export interface KnownClient {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** The only way in which it may send its secret. */
  authMethod?: 'client_secret_basic' | 'client_secret_post';
}

/** A certified provider, at which everybody signs in at once as the person that the test names. */
export class StrictProvider {
  /** Claims of the next sign-in. */
  claims: Claims = {};

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private provider: Provider | null,
  ) {}

  static async start(): Promise<StrictProvider> {
    const server = createServer(patientServer, (request, response) => void strict.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const strict: StrictProvider = new StrictProvider(server, issuer, null);
    return strict;
  }

  register({ clientId, clientSecret, redirectUri, authMethod = 'client_secret_basic' }: KnownClient): void {
    this.provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: authMethod,
        },
      ],
      clientAuthMethods: [authMethod],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      // Puts the claims into the ID token, as company providers do.
      conformIdTokenClaims: false,
      cookies: { keys: ['test'] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...this.claims }) }),
    });
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(
    request: Parameters<ReturnType<Provider['callback']>>[0],
    response: Parameters<ReturnType<Provider['callback']>>[1],
  ): Promise<void> {
    const provider = this.provider;
    if (!provider) throw new Error('no client is registered');
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    const { params, session } = await provider.interactionDetails(request, response);
    const accountId = session?.accountId ?? String(this.claims.email);
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  }
}

/** A provider that says whatever a test wants, by the clock of the test. */
export class LooseProvider {
  /** Changes the ID token before it is signed. */
  token: (payload: Claims, header: Claims) => void = () => undefined;
  /** Changes the address that the browser is sent back to. */
  redirect: (url: URL) => void = () => undefined;
  /** Changes the answer of the token endpoint. */
  response: (answer: { statusCode: number; body: unknown }) => void = () => undefined;
  /** Changes the answer of the userinfo endpoint, which says no more than `sub` by default. A text is sent as a JWT. */
  userinfo: (answer: { statusCode: number; body: unknown }) => void = () => undefined;
  /** Access tokens that the userinfo endpoint got. */
  readonly asked: (string | undefined)[] = [];
  /** Forms that the token endpoint got. */
  readonly redeemed: { form: Record<string, string>; authorization: string | undefined }[] = [];

  private constructor(
    readonly server: OAuth2Server,
    private readonly clock: Clock,
  ) {}

  static async start(clock: Clock): Promise<LooseProvider> {
    const server = new OAuth2Server();
    await server.issuer.keys.generate('RS256', { kid: 'first' });
    await server.start(0, '127.0.0.1');
    const loose = new LooseProvider(server, clock);
    const { service } = server;
    service.on('beforeTokenSigning', ({ payload, header }: { payload: Claims; header: Claims }) => {
      const nowS = Math.floor(loose.clock.nowMs() / 1000);
      Object.assign(payload, { iat: nowS, exp: nowS + 300, nbf: nowS });
      loose.token(payload, header);
    });
    service.on('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
      loose.redirect(url);
    });
    service.on(
      'beforeResponse',
      (
        answer: { statusCode: number; body: unknown },
        request: { body: Record<string, string>; headers: { authorization?: string } },
      ) => {
        loose.redeemed.push({ form: { ...request.body }, authorization: request.headers.authorization });
        loose.response(answer);
      },
    );
    service.on('beforeUserinfo', (answer: { statusCode: number; body: unknown }, request: Request) => {
      loose.asked.push(request.headers.authorization);
      loose.userinfo(answer);
      const { res: response } = request;
      if (typeof answer.body === 'string' && response)
        response.json = (token: string) => response.type('application/jwt').send(token);
    });
    return loose;
  }

  get issuer(): string {
    return this.server.issuer.url ?? '';
  }

  /** A JWT with these claims alone, signed with the key of the provider. */
  signed(claims: Claims): Promise<string> {
    return this.server.issuer.buildToken({
      scopesOrTransform: (_header, payload) => {
        for (const name of Object.keys(payload)) delete payload[name];
        Object.assign(payload, claims);
      },
    });
  }

  reset(): void {
    this.token = () => undefined;
    this.redirect = () => undefined;
    this.response = () => undefined;
    this.userinfo = () => undefined;
    this.redeemed.length = 0;
    this.asked.length = 0;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** Follows redirects at providers with a cookie jar, until they lead elsewhere; returns that address. */
export async function followAtProvider(start: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  for (let hop = 0; hop < 10 && url.origin === new URL(issuer).origin; hop++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const header of answer.headers.getSetCookie()) {
      const [pair = ''] = header.split(';');
      const equals = pair.indexOf('=');
      jar.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`${url.href} led nowhere: ${answer.status} ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}
