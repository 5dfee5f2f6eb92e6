import { randomUUID } from 'node:crypto';
import type { ProjectRole } from '../../src/platform/principal/permissions.js';
import type { Answer, ApiClient } from './api-client.js';
import type { TestServer } from './test-server.js';

/** Password of users created by `signUp`. */
export const PASSWORD = 'correct horse battery';

export interface SignedUp {
  email: string;
  /** `rd_session=...`, ready for a Cookie header. */
  cookie: string;
  /** Client with the session. */
  session: ApiClient;
  /** The project made with the account; the person is its admin. */
  projectId: string;
}

export interface SecretKey {
  id: string;
  key: string;
  /** Client with the key. */
  client: ApiClient;
}

function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

let signUps = 0;

/** The session cookie that an answer sets, without its attributes. */
export function sessionCookie(answer: Answer): string {
  const [header = ''] = (answer.headers['set-cookie'] ?? []) as unknown as string[];
  return header.split(';')[0] ?? '';
}

/**
 * Creates an account with a project. Without SERVICE_ALLOW_SIGNUP=true only the first one of a server can
 * be created, and ten an hour come from one IP: suites with more also set SERVICE_TRUST_PROXY=true, then
 * every sign-up seems to come from an IP of its own.
 */
export async function signUp(
  server: Pick<TestServer, 'http'>,
  options: { email?: string; projectName?: string } = {},
): Promise<SignedUp> {
  const { email = `${randomUUID()}@example.com`, projectName } = options;
  const body = { email, password: PASSWORD, project_name: projectName };
  signUps++;
  const ip = `10.0.${signUps >> 8}.${signUps & 255}`;
  const behindProxy = await server.http.post('/auth/signup', body, { 'x-forwarded-for': ip });
  // The first account of a server is created from its own machine.
  const isFirst = behindProxy.body.reason === 'setup_token_required';
  const answer = isFirst ? await server.http.post('/auth/signup', body) : behindProxy;
  const cookie = sessionCookie(expectStatus(answer, 201));
  const session = server.http.withCookie(cookie);
  const me = expectStatus(await session.get('/auth/me'), 200);
  return { email, cookie, session, projectId: me.body.projects[0].id };
}

/** Creates a secret key; without `permissions` it holds all that the session holds. */
export async function createSecretKey(
  session: ApiClient,
  projectId: string,
  permissions?: string[],
): Promise<SecretKey> {
  const body = { name: 'Test key', permissions };
  const answer = await session.post(`/v2/projects/${projectId}/api_keys`, body);
  const { id, key } = expectStatus(answer, 201).body;
  return { id, key, client: session.with({ cookie: '' }).withKey(key) };
}

/** Signs a user up and makes them a member of another user's project. */
export async function joinAs(server: TestServer, role: ProjectRole, projectId: string): Promise<SignedUp> {
  const member = await signUp(server);
  await server.dataSource.query(
    `INSERT INTO project_members (project_id, user_id, role, accepted_at)
     SELECT $1, id, $2, $4 FROM users WHERE email = $3`,
    [projectId, role, member.email, new Date(server.clock.nowMs())],
  );
  return member;
}
