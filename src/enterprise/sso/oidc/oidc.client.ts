import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  type CustomFetchOptions,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
  skipSubjectCheck,
} from 'openid-client';
import { type Clock, systemClock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ProviderHttpClient } from '../../../platform/outbound/provider-http.client.js';
import {
  isAllowedAlgorithm,
  signatureAlgorithms,
} from '../../../sdk/auth-providers/id-tokens/id-token.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { DiscoveryService } from './discovery.service.js';
import { checkIdToken, type ClaimNames, needsUserinfo, type ProviderClaims } from './oidc-claims.policy.js';
import { oidcRefusal, userinfoRefusal } from './oidc-failure.policy.js';
import { NO_ACCESS_TOKEN, normalizedTokenAnswer } from './token-answer.policy.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;
const LEEWAY_S = 60;

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scopes: string;
  redirectUri: string;
}

export interface OidcChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The provider's client authentication method: basic, unless its metadata excludes it. */
function clientAuthOf({ clientSecret }: OidcProvider, metadata: ServerMetadata): ClientAuth {
  if (clientSecret === null) return None();
  const methods: unknown = metadata.token_endpoint_auth_methods_supported;
  const isPost =
    Array.isArray(methods) &&
    !methods.includes('client_secret_basic') &&
    methods.includes('client_secret_post');
  return isPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

function assertAlgorithm(idToken: string): void {
  const [encoded = ''] = idToken.split('.');
  const header = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as Record<string, unknown>;
  if (!isAllowedAlgorithm(header.alg) || 'crit' in header || header.b64 === false) {
    throw new SsoRefused('signature');
  }
}

/** The authorization code flow with an organization's provider. Throws only SsoRefused. */
@Injectable()
export class OidcClient {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly http: ProviderHttpClient,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the URL that the browser is redirected to. */
  async authorizationUrl(
    provider: OidcProvider,
    { state, nonce, codeVerifier }: OidcChecks,
  ): Promise<string> {
    const configuration = await this.configurationOf(provider);
    try {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: provider.redirectUri,
        response_type: 'code',
        scope: provider.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    } catch (error) {
      throw oidcRefusal(error);
    }
  }

  /**
   * Redeems the callback's code. Returns the verified claims of the ID token, and those of userinfo if the ID token
   * lacks one of `names`.
   */
  async claims(
    provider: OidcProvider,
    callbackUrl: URL,
    checks: OidcChecks,
    names: ClaimNames,
  ): Promise<ProviderClaims> {
    const configuration = await this.configurationOf(provider);
    try {
      const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || tokens.id_token === undefined) throw new SsoRefused('token_answer');
      assertAlgorithm(tokens.id_token);
      checkIdToken(claims, provider.clientId, this.clock.nowMs());
      const canAsk = tokens.access_token !== NO_ACCESS_TOKEN && needsUserinfo(claims, names);
      const userinfo = canAsk ? await this.userinfo(configuration, tokens.access_token, claims.sub) : null;
      return { idToken: claims, userinfo };
    } catch (error) {
      throw oidcRefusal(error);
    }
  }

  /** Returns null if there is no such endpoint. @throws SsoRefused if it does not answer */
  private async userinfo(
    configuration: Configuration,
    accessToken: string,
    subject: string,
  ): Promise<ProviderClaims['userinfo']> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return null;
    try {
      const claims = await fetchUserInfo(configuration, accessToken, skipSubjectCheck);
      return claims.sub === subject ? claims : 'other_subject';
    } catch (error) {
      return userinfoRefusal(error);
    }
  }

  private async configurationOf(provider: OidcProvider): Promise<Configuration> {
    const metadata = await this.discovery.find(provider.issuer);
    const configuration = new Configuration(
      // Omitted by some providers that sign userinfo only for some clients.
      { userinfo_signing_alg_values_supported: [...signatureAlgorithms], ...metadata },
      provider.clientId,
      { [clockSkew]: this.skewS(), [clockTolerance]: LEEWAY_S },
      clientAuthOf(provider, metadata),
    );
    configuration[customFetch] = (url, options) => this.fetch(url, options);
    // This server's HTTP client decides which addresses may be called over http.
    allowInsecureRequests(configuration);
    // Also verifies signatures of tokens that come directly from the provider.
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Offset of this server's clock from the system's, which openid-client reads. */
  private skewS(): number {
    return Math.round((this.clock.nowMs() - systemClock.nowMs()) / 1000);
  }

  private async fetch(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
    const sent = body === undefined || body === null ? undefined : String(body as URLSearchParams | string);
    const response = await this.http.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: { ...Object.fromEntries(new Headers(headers)) },
      body: sent,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    const answered = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      for (const part of [value ?? []].flat()) answered.append(name, part);
    }
    const isEmpty = [204, 205, 304].includes(response.status);
    const isTokenAnswer = method === 'POST' && response.status === 200;
    const text = isTokenAnswer ? normalizedTokenAnswer(response.body) : response.body;
    return new Response(isEmpty ? null : text, { status: response.status, headers: answered });
  }
}
