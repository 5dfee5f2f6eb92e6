import { Injectable } from '@nestjs/common';
import { newToken } from '../../../../libs/kernel/index.js';
import { Config } from '../../../platform/config/config.js';
import { oidcRedirectUri } from '../connections/sso-addresses.js';
import type { OidcConnection } from '../connections/sso-connection.entity.js';
import { SsoConnectionsService } from '../connections/sso-connections.service.js';
import { OidcClient, type OidcProvider } from '../oidc/oidc.client.js';
import { oidcIdentity } from '../oidc/oidc-claims.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { LoginStatesService } from './login-states.service.js';
import type { SignedIn } from './saml-sign-in.service.js';
import { type SsoRequest, SsoSignInService } from './sso-sign-in.service.js';

/** The query of the callback, and the browser that sent it. */
export interface OidcAnswer {
  /** As received, without `?`. */
  query: string;
  browserSecret: string | null;
}

@Injectable()
export class OidcSignInService {
  constructor(
    private readonly states: LoginStatesService,
    private readonly signIns: SsoSignInService,
    private readonly client: OidcClient,
    private readonly connections: SsoConnectionsService,
    private readonly config: Config,
  ) {}

  /** Returns the URL at the identity provider. @throws SsoRefused */
  async start(connection: OidcConnection, next: string, browserSecret: string): Promise<string> {
    const checks = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
    const url = await this.client.authorizationUrl(this.providerOf(connection), checks);
    await this.states.begin(connection, { ...checks, next, browserSecret });
    return url;
  }

  /** @throws SsoRefused */
  async finish(connection: OidcConnection, answer: OidcAnswer, request: SsoRequest): Promise<SignedIn> {
    const provider = this.providerOf(connection);
    const [state, ...more] = new URLSearchParams(answer.query).getAll('state');
    if (!state || more.length > 0) throw new SsoRefused('state');
    // Consumed before the provider is called, so that a code is redeemed at most once.
    const { next, nonce, codeVerifier } = await this.states.useAlone(connection, {
      state,
      browserSecret: answer.browserSecret,
    });
    if (nonce === null || codeVerifier === null) throw new SsoRefused('state');
    const callback = new URL(`${provider.redirectUri}?${answer.query}`);
    const names = {
      email: connection.settings.emailClaim ?? null,
      groups: connection.settings.groupsClaim,
    };
    const checks = { state, nonce, codeVerifier };
    const identity = oidcIdentity(await this.client.claims(provider, callback, checks, names), names);
    const sessionToken = await this.signIns.signIn(connection, request, () => Promise.resolve(identity));
    return { sessionToken, next };
  }

  private providerOf(connection: OidcConnection): OidcProvider {
    const { issuer, clientId, scopes } = connection.settings;
    if (issuer === null || clientId === null) throw new SsoRefused('connection_disabled');
    return {
      issuer,
      clientId,
      scopes,
      clientSecret: this.connections.clientSecret(connection),
      redirectUri: oidcRedirectUri(this.config.baseUrl, connection.id),
    };
  }
}
