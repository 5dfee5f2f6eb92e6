import { newId } from '../../libs/kernel/index.js';
import type { Answer, ApiClient, Json } from './api-client.js';
import type { TestStore } from './arrange-store.js';
import type { TestServer } from './test-server.js';

export interface SignedInCustomer {
  appUserId: string;
  /** `access_token`, `refresh_token` and `id_token`. */
  tokens: Json;
  /** Client with the access token. */
  client: ApiClient;
}

/** Lets customers of a project sign in. */
export async function turnSignInOn(
  server: TestServer,
  projectId: string,
  { enabled = true, allowAnonymous = true } = {},
): Promise<void> {
  await server.dataSource.query(
    `INSERT INTO auth_settings (project_id, enabled, allow_anonymous) VALUES ($1, $2, $3)
     ON CONFLICT (project_id) DO UPDATE SET enabled = $2, allow_anonymous = $3`,
    [projectId, enabled, allowAnonymous],
  );
}

/** An identity provider of a project; returns its id. */
export async function addProvider(
  server: TestServer,
  projectId: string,
  { issuer }: { issuer: string },
  { audiences, kind = 'oidc' }: { audiences: string[]; kind?: 'oidc' | 'firebase' },
): Promise<string> {
  const now = new Date(server.clock.nowMs());
  const id = newId('authProvider', now.getTime());
  await server.dataSource.query(
    `INSERT INTO auth_providers (project_id, id, kind, name, issuer, audiences, firebase_project_id, app_user_id_claim,
       app_user_id_prefix, enabled, created_at, updated_at)
     VALUES ($1, $2, $3, 'Provider', $4, $5, $6, 'sub', '', true, $7, $7)`,
    [projectId, id, kind, issuer, audiences, kind === 'firebase' ? audiences[0] : null, now],
  );
  return id;
}

/** The claims of a JWT, unverified. */
export function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

/** A customer by the tokens of a login. */
export function signedIn(server: Pick<TestServer, 'http'>, answer: Answer): SignedInCustomer {
  if (answer.status !== 200) throw new Error(`Expected 200, got ${answer.status}: ${answer.text}`);
  const tokens = answer.body;
  const appUserId: string = claimsOf(tokens.access_token)['rc.app_user_id'];
  return { appUserId, tokens, client: server.http.withKey(tokens.access_token) };
}

/** Signs a new anonymous customer in; sign-in must be on. */
export async function signInAnonymously(
  server: Pick<TestServer, 'http'>,
  store: Pick<TestStore, 'sdk'>,
): Promise<SignedInCustomer> {
  return signedIn(server, await store.sdk.post('/v1/auth/login', { method: 'anonymous' }));
}
