import * as oauth from 'oauth4webapi';
import type { SignedUp } from './arrange.js';
import { allowAt, REDIRECT_URI } from './arrange-oauth.js';
import type { TestServer } from './test-server.js';

/** Tests have no TLS. */
const insecure = { [oauth.allowInsecureRequests]: true };
const none = oauth.None();

async function discover(
  issuer: URL,
  path: string,
): Promise<{ as: oauth.AuthorizationServer; resource: string }> {
  const mcp = new URL(path, issuer);
  const { authorization_servers: servers = [], resource } = await oauth.processResourceDiscoveryResponse(
    mcp,
    await oauth.resourceDiscoveryRequest(mcp, insecure),
  );
  const found = await oauth.discoveryRequest(new URL(servers[0] ?? ''), { algorithm: 'oauth2', ...insecure });
  return { as: await oauth.processDiscoveryResponse(issuer, found), resource };
}

async function register(as: oauth.AuthorizationServer): Promise<oauth.Client> {
  const metadata = {
    client_name: 'Strict',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  };
  const headers = { 'x-forwarded-for': '10.3.0.1' };
  const response = await oauth.dynamicClientRegistrationRequest(as, metadata, { headers, ...insecure });
  return oauth.processDynamicClientRegistrationResponse(response);
}

/** The whole flow with a client that accepts nothing that the RFCs do not say. */
export async function strictFlow(
  server: Pick<TestServer, 'baseUrl'>,
  person: Pick<SignedUp, 'session' | 'projectId'>,
  path: string,
): Promise<object> {
  const issuer = new URL(server.baseUrl);
  const { as, resource } = await discover(issuer, path);
  const client = await register(as);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'project:read offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    state,
  }).toString();
  const answered = oauth.validateAuthResponse(as, client, await allowAt(person, url), state);
  const more = { additionalParameters: { resource }, ...insecure };
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, none, answered, REDIRECT_URI, verifier, more),
  );
  const { access_token: token, scope } = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? '', more),
  );
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const call = () =>
    oauth.protectedResourceRequest(token, 'POST', new URL(resource), headers, ping, insecure);
  const { status } = await call();
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, none, token, insecure));
  const refused: unknown = await call().catch((error: unknown) => error);
  return { scope, status, revoked: refused instanceof oauth.WWWAuthenticateChallengeError };
}
