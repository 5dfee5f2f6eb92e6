import { createHash, randomBytes } from 'node:crypto';
import type { Answer, ApiClient } from './api-client.js';
import type { SignedUp } from './arrange.js';
import type { TestServer } from './test-server.js';

export const REDIRECT_URI = 'https://agent.example.com/callback';
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export type Fields = Record<string, string>;

/** Leaves out empty ones. */
export function formOf(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}

export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

let registrations = 0;

/** From an address of its own, if the server trusts a proxy. */
export async function registerClient(
  { http }: Pick<TestServer, 'http'>,
  metadata: object = {},
): Promise<string> {
  registrations++;
  const body = { client_name: 'Example agent', redirect_uris: [REDIRECT_URI], ...metadata };
  const ip = `10.1.${registrations >> 8}.${registrations & 255}`;
  const answer = await http.post('/oauth/register', body, { 'x-forwarded-for': ip });
  if (answer.status !== 201) throw new Error(`The client was not registered: ${answer.text}`);
  return answer.body.client_id as string;
}

export function authorizePath(parameters: Record<string, string | undefined>): string {
  const all = {
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge_method: 'S256',
    ...parameters,
  };
  return `/oauth/authorize?${formOf(all)}`;
}

/** The hidden fields of a consent page. */
export function hiddenFields({ text }: Pick<Answer, 'text'>): Fields {
  const inputs = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const plain = (value: string): string =>
    value.replaceAll(/&[^;]+;/g, (entity) => entities[entity] ?? entity);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, plain(value)]));
}

/** The parameters of a redirect to the client. */
export function redirectParameters(answer: Answer): Fields {
  return Object.fromEntries(new URL(answer.headers.location ?? '').searchParams);
}

export interface Asked {
  clientId: string;
  scope?: string;
  state?: string;
  resource?: string;
  redirectUri?: string;
}

/** A person agrees: the code and its verifier. */
export async function agree(
  session: ApiClient,
  { clientId, redirectUri = REDIRECT_URI, ...asked }: Asked,
  choice: Fields,
): Promise<{ code: string; verifier: string; answer: Answer }> {
  const { verifier, challenge } = newPkce();
  const parameters = { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge, ...asked };
  const page = await session.get(authorizePath(parameters));
  if (page.status !== 200) throw new Error(`No consent page: ${page.status} ${page.text}`);
  const form = formOf({ ...hiddenFields(page), decision: 'allow', ...choice });
  const answer = await session.send('POST', '/oauth/authorize', form, FORM);
  if (answer.status !== 302) throw new Error(`No redirect: ${answer.status} ${answer.text}`);
  return { code: redirectParameters(answer).code ?? '', verifier, answer };
}

/** A person agrees to what the client asks at `url`. Returns where the browser is sent. */
export async function allowAt(
  { session, projectId }: Pick<SignedUp, 'session' | 'projectId'>,
  url: URL,
): Promise<URL> {
  const page = await session.get(url.pathname + url.search);
  const form = formOf({ ...hiddenFields(page), decision: 'allow', project_id: projectId });
  const { headers } = await session.send('POST', '/oauth/authorize', form, FORM);
  return new URL(headers.location ?? '');
}

export function postToken({ http }: Pick<TestServer, 'http'>, fields: Fields): Promise<Answer> {
  return http.send('POST', '/oauth/token', formOf(fields), FORM);
}

export interface LetIn {
  clientId: string;
  tokens: { access_token: string; refresh_token: string; scope: string };
  /** Client with the access token. */
  client: ApiClient;
}

/** A person lets a client in on one of their projects. */
export async function letClientIn(
  server: Pick<TestServer, 'http'>,
  { session, projectId }: Pick<SignedUp, 'session' | 'projectId'>,
  scope = 'project:read project:write project:money',
  known?: string,
  resource?: string,
): Promise<LetIn> {
  const clientId = known ?? (await registerClient(server));
  const choice: Fields = { project_id: projectId, access: 'project:read' };
  if (scope.includes('project:write')) choice.access = 'project:write';
  if (scope.includes('project:money')) choice.money = 'on';
  const { code, verifier } = await agree(session, { clientId, scope, ...(resource && { resource }) }, choice);
  const { status, body, text } = await postToken(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
  if (status !== 200) throw new Error(`No tokens: ${text}`);
  return { clientId, tokens: body, client: server.http.withKey(body.access_token as string) };
}
