import { randomUUID } from 'node:crypto';
import { MailsJob } from '../../src/platform/mail/mails.job.js';
import { type ProjectRole, rolePermissions } from '../../src/platform/principal/permissions.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import {
  createSecretKey,
  joinAs,
  PASSWORD,
  sessionCookie,
  type SignedUp,
  signUp,
} from '../support/arrange.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;
const BUSY = { at: 'RCPT TO', reply: '450 try again later' } as const;
const REFUSED = { at: 'RCPT TO', reply: '550 no such mailbox' } as const;

let mailServer: MailServer;
/** Anybody can sign up. */
let server: TestServer;
/** The same database, where sign-up is closed. */
let closed: TestServer;

beforeAll(async () => {
  mailServer = await startMailServer();
  const env = {
    ...mailServer.env,
    SERVICE_TRUST_PROXY: 'true',
    SERVICE_PUBLIC_URL: 'https://tenure.example',
  };
  server = await startTestServer({ env: { ...env, SERVICE_ALLOW_SIGNUP: 'true' } });
  const { databaseUrl, clock } = server;
  closed = await startTestServer({ env, databaseUrl, clock });
});

afterEach(() => mailServer.answerWith('accept'));

afterAll(async () => {
  await closed.close();
  await server.close();
  await mailServer.close();
});

const newAddress = (): string => `${randomUUID()}@example.com`;
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();
const invitesOf = ({ projectId }: Pick<SignedUp, 'projectId'>): string => `/v2/projects/${projectId}/invites`;
const collaboratorsOf = ({ projectId }: Pick<SignedUp, 'projectId'>): string =>
  `/v2/projects/${projectId}/collaborators`;

async function invite(owner: SignedUp, email = newAddress(), role: ProjectRole = 'developer'): Promise<Json> {
  const answer = await owner.session.post(invitesOf(owner), { email, role });
  expect([answer.status, answer.body.email_sent]).toEqual([201, true]);
  return answer.body;
}

/** The token in the link of the last mail. */
function tokenTo(email: string): string {
  const { pathname, hash } = mailServer.lastLinkTo(email);
  expect(pathname).toBe('/invite');
  const [, token] = /^#token=([\w-]{43})$/.exec(hash) ?? [];
  return token ?? '';
}

async function invitedToken(
  owner: SignedUp,
  email: string,
  role: ProjectRole = 'developer',
): Promise<string> {
  await invite(owner, email, role);
  return tokenTo(email);
}

const lookUp = (token: string): Promise<Answer> => server.http.get(`/auth/invites/${token}`);
const accept = (session: ApiClient, token: string): Promise<Answer> =>
  session.post(`/auth/invites/${token}/accept`);
const signUpInvited = (email: string, token: string, at = server): Promise<Answer> =>
  at.http.post(
    '/auth/signup',
    { email, password: PASSWORD, invite_token: token, project_name: 'Ignored' },
    { 'x-forwarded-for': `10.7.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}` },
  );

async function userIdOf({ session }: Pick<SignedUp, 'session'>): Promise<string> {
  return (await session.get('/auth/me')).body.user.id;
}

async function rolesIn(owner: SignedUp): Promise<Record<string, string>> {
  const { items } = (await owner.session.get(collaboratorsOf(owner))).body;
  return Object.fromEntries((items as Json[]).map(({ email, role }) => [email, role]));
}

/** The rows of an action in the audit log of the project. */
async function audited(owner: SignedUp, action: string): Promise<Json[]> {
  const { items } = (await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs?limit=100`)).body;
  return (items as Json[]).filter(({ action_type: type }) => type === action);
}

async function expectDead(token: string): Promise<void> {
  const answer = await lookUp(token);
  expect([answer.status, answer.body]).toEqual([
    404,
    { type: 'resource_missing', message: 'The invite does not exist or is no longer open.' },
  ]);
}

describe('who may invite', () => {
  it('requires an admin of the project in person; members may look', async () => {
    const owner = await signUp(server);
    const { id } = await invite(owner);
    const path = invitesOf(owner);
    const { client } = await createSecretKey(owner.session, owner.projectId, ['*']);
    const developer = await joinAs(server, 'developer', owner.projectId);
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    const stranger = await signUp(server);
    const callers: [ApiClient, list: number, write: number][] = [
      [server.http, 401, 401],
      [client, 403, 403],
      [developer.session, 200, 403],
      [viewer.session, 200, 403],
      [stranger.session, 404, 404],
    ];
    for (const [caller, list, write] of callers) {
      expect((await caller.get(path)).status).toBe(list);
      const writes = [
        await caller.post(path, { email: newAddress(), role: 'viewer' }),
        await caller.post(`${path}/${id}/actions/resend`),
        await caller.delete(`${path}/${id}`),
      ];
      expect(writes.map(({ status }) => status)).toEqual([write, write, write]);
    }
    expect((await owner.session.get(path)).body.items).toHaveLength(1);
  });

  it("does not reach another project's invites", async () => {
    const [owner, other] = [await signUp(server), await signUp(server)];
    const { id, email } = await invite(owner);
    const token = tokenTo(email);
    for (const answer of [
      await other.session.post(`${invitesOf(other)}/${id}/actions/resend`),
      await other.session.delete(`${invitesOf(other)}/${id}`),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
    const cursor = await other.session.get(`${invitesOf(other)}?starting_after=${id}`);
    expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
    expect((await lookUp(token)).status).toBe(200);
  });

  it('has confirmed their address, on the hosted edition', async () => {
    const hosted = await startTestServer({
      env: { ...mailServer.env, SERVICE_EDITION: 'cloud' },
      databaseUrl: server.databaseUrl,
      clock: server.clock,
    });
    const owner = await signUp(server);
    const { id } = await invite(owner);
    const session = hosted.http.withCookie(owner.cookie);
    const confirm = (confirmed: boolean) =>
      server.dataSource.query('UPDATE users SET email_verified = $1 WHERE email = $2', [
        confirmed,
        owner.email,
      ]);
    const writes = async () => [
      await session.post(invitesOf(owner), { email: newAddress(), role: 'viewer' }),
      await session.post(`${invitesOf(owner)}/${id}/actions/resend`),
    ];
    await confirm(false);
    for (const { status, body } of await writes()) {
      expect([status, body.type, body.message]).toEqual([
        403,
        'authorization_error',
        'Confirm your email address before you invite people.',
      ]);
    }
    await confirm(true);
    expect((await writes()).map(({ status }) => status)).toEqual([201, 200]);
    await hosted.close();
  });
});

describe('an invite', () => {
  it('creates a link that is valid for 7 days, and mails it', async () => {
    const owner = await signUp(server, { projectName: 'Engines' });
    await owner.session.post('/auth/me', { name: 'Ada' });
    const path = invitesOf(owner);
    const answer = await owner.session.post(path, { email: '  Grace@Example.COM ', role: 'viewer' });
    const nowMs = server.clock.nowMs();
    const created = {
      object: 'invite',
      id: expect.stringMatching(/^inv_[0-9a-z]{16}$/),
      email: 'grace@example.com',
      role: 'viewer',
      status: 'pending',
      invited_by: await userIdOf(owner),
      created_at: nowMs,
      last_sent_at: nowMs,
      expires_at: nowMs + 7 * DAY_MS,
    };
    expect([answer.status, answer.body]).toEqual([201, { ...created, email_sent: true }]);
    const listed = await owner.session.get(path);
    expect(listed.body).toEqual({ object: 'list', items: [created], next_page: null, url: path });
    const mail = mailServer.lastMailTo('grace@example.com');
    expect(mail.subject).toBe('Invitation to “Engines”');
    const until = `${new Date(nowMs + 7 * DAY_MS).toISOString().slice(0, 10)}`;
    for (const part of [mail.text, mail.html]) {
      for (const said of ['Ada', owner.email, '“Engines”', 'a viewer', until, tokenTo(answer.body.email)]) {
        expect(part).toContain(said);
      }
    }
    const [stored] = await server.dataSource.query<[Json]>('SELECT * FROM invites WHERE id = $1', [
      answer.body.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain(tokenTo('grace@example.com'));
    expect(await audited(owner, 'invite_created')).toMatchObject([
      {
        target_identifier: answer.body.id,
        actor_identifier: owner.email,
        additional_data: { email: 'grace@example.com', role: 'viewer' },
      },
    ]);
  });

  it.each<[string, Json, string]>([
    ['no body', undefined, 'email'],
    ['no role', { email: 'a@example.com' }, 'role'],
    ['an unknown role', { email: 'a@example.com', role: 'owner' }, 'role'],
    ['the role as it is read', { email: 'a@example.com', role: 'read_only' }, 'role'],
    ['no address', { role: 'viewer' }, 'email'],
    ['an address that is none', { email: 'a', role: 'viewer' }, 'email'],
    ['a list of addresses', { email: ['a@example.com'], role: 'viewer' }, 'email'],
    [
      'an address that ends a header',
      { email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' },
      'email',
    ],
    ['an address with a NUL', { email: 'a\0@example.com', role: 'viewer' }, 'email'],
  ])('refuses %s', async (_, body, param) => {
    const owner = await signUp(server);
    const answer = await owner.session.post(invitesOf(owner), body);
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    expect((await owner.session.get(invitesOf(owner))).body.items).toEqual([]);
  });

  it('refuses a member', async () => {
    const owner = await signUp(server);
    const member = await joinAs(server, 'viewer', owner.projectId);
    for (const email of [owner.email, member.email.toUpperCase()]) {
      const answer = await owner.session.post(invitesOf(owner), { email, role: 'admin' });
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([
        409,
        'resource_already_exists',
        'email',
      ]);
    }
    expect(mailServer.mailsTo(member.email)).toEqual([]);
  });

  it('replaces the invite of an address: new role, new link, and the old link stops', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const first = await invite(owner, email, 'viewer');
    const old = tokenTo(email);
    server.clock.advanceMs(8 * DAY_MS);
    const second = await invite(owner, email, 'admin');
    expect(second).toEqual({
      ...first,
      role: 'admin',
      last_sent_at: server.clock.nowMs(),
      expires_at: server.clock.nowMs() + 7 * DAY_MS,
    });
    expect((await owner.session.get(invitesOf(owner))).body.items).toHaveLength(1);
    await expectDead(old);
    expect((await lookUp(tokenTo(email))).body.role).toBe('admin');
    expect(await audited(owner, 'invite_updated')).toMatchObject([
      { additional_data: { email, changes: { role: { old: 'viewer', new: 'admin' } } } },
    ]);
  });

  it('creates one when requested several times at once, and the last link works', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const body = { email, role: 'viewer' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => owner.session.post(invitesOf(owner), body)));
    expect(statuses(answers)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await owner.session.get(invitesOf(owner))).body.items).toHaveLength(1);
    const links = mailServer.mailsTo(email).map(({ links: [link = ''] }) => link.split('=')[1] ?? '');
    const found = await Promise.all(links.map(lookUp));
    expect(found.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('exists also if the mail server refuses the mail, and can be sent again', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    mailServer.answerWith(REFUSED);
    const created = await owner.session.post(invitesOf(owner), { email, role: 'viewer' });
    expect([created.status, created.body.email_sent]).toEqual([201, false]);
    const path = `${invitesOf(owner)}/${created.body.id}/actions/resend`;
    const refused = await owner.session.post(path);
    expect([refused.status, refused.body.email_sent]).toEqual([200, false]);
    mailServer.answerWith('accept');
    const sent = await owner.session.post(path);
    expect([sent.status, sent.body.email_sent]).toEqual([200, true]);
    expect((await lookUp(tokenTo(email))).status).toBe(200);
  });

  it('sends no mail if it was replaced or revoked before', async () => {
    const owner = await signUp(server);
    const [replaced, revoked] = [newAddress(), newAddress()];
    mailServer.answerWith(BUSY);
    const first = await owner.session.post(invitesOf(owner), { email: replaced, role: 'viewer' });
    const second = await owner.session.post(invitesOf(owner), { email: revoked, role: 'viewer' });
    expect([first.body.email_sent, second.body.email_sent]).toEqual([false, false]);
    await owner.session.post(`${invitesOf(owner)}/${first.body.id}/actions/resend`);
    await owner.session.delete(`${invitesOf(owner)}/${second.body.id}`);
    mailServer.answerWith('accept');
    server.clock.advanceMs(60 * 60_000);
    await server.app.get(MailsJob).drain();
    expect(mailServer.mailsTo(revoked)).toEqual([]);
    expect(mailServer.mailsTo(replaced)).toHaveLength(1);
    expect((await lookUp(tokenTo(replaced))).status).toBe(200);
  });

  it('gets a new link for 7 more days when sent again, even after it expired', async () => {
    const owner = await signUp(server);
    const created = await invite(owner);
    const { id, email } = created;
    const path = `${invitesOf(owner)}/${id}/actions/resend`;
    for (const days of [3, 9]) {
      const old = tokenTo(email);
      server.clock.advanceMs(days * DAY_MS);
      const answer = await owner.session.post(path);
      const nowMs = server.clock.nowMs();
      expect([answer.status, answer.body]).toEqual([
        200,
        { ...created, last_sent_at: nowMs, expires_at: nowMs + 7 * DAY_MS },
      ]);
      await expectDead(old);
      expect((await lookUp(tokenTo(email))).status).toBe(200);
    }
    expect(await audited(owner, 'invite_resent')).toHaveLength(2);
    const unknown = await owner.session.post(`${invitesOf(owner)}/inv_unknown/actions/resend`);
    expect([unknown.status, unknown.body.type]).toEqual([404, 'resource_missing']);
  });

  it('expires after 7 days and stays in the list', async () => {
    const owner = await signUp(server);
    const { email } = await invite(owner);
    const token = tokenTo(email);
    const status = async () => (await owner.session.get(invitesOf(owner))).body.items[0].status;
    server.clock.advanceMs(7 * DAY_MS - 1);
    expect([await status(), (await lookUp(token)).status]).toEqual(['pending', 200]);
    server.clock.advanceMs(1);
    expect(await status()).toBe('expired');
    await expectDead(token);
  });

  it('stops at once when revoked, with its link', async () => {
    const owner = await signUp(server);
    const { id, email } = await invite(owner);
    const token = tokenTo(email);
    const path = `${invitesOf(owner)}/${id}`;
    const answer = await owner.session.delete(path);
    expect([answer.status, answer.body]).toEqual([
      200,
      { object: 'invite', id, deleted_at: server.clock.nowMs() },
    ]);
    await expectDead(token);
    expect((await owner.session.get(invitesOf(owner))).body.items).toEqual([]);
    expect(await audited(owner, 'invite_revoked')).toMatchObject([
      {
        additional_data: { email },
      },
    ]);
    expect((await owner.session.delete(path)).status).toBe(404);
    expect((await owner.session.post(`${path}/actions/resend`)).status).toBe(404);
  });

  it('appears in the list in the order of creation, in pages', async () => {
    const owner = await signUp(server);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      if (n > 2) server.clock.advanceMs(1000);
      ids.push((await invite(owner)).id);
    }
    await owner.session.post(`${invitesOf(owner)}/${ids[0]}/actions/resend`);
    const walked = await walkList(owner.session, invitesOf(owner), 2);
    expect(walked.map(({ id }) => id)).toEqual([...ids.slice(0, 3).sort(), ...ids.slice(3)]);
  });

  it('allows 50 a day and project, however many are sent at once', async () => {
    const [owner, other] = [await signUp(server), await signUp(server)];
    const { id } = await invite(owner);
    const many = Array.from({ length: 55 }, () =>
      owner.session.post(invitesOf(owner), { email: newAddress(), role: 'viewer' }),
    );
    const answers = await Promise.all(many);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(49);
    server.clock.advanceMs(DAY_MS / 2);
    const resend = () => owner.session.post(`${invitesOf(owner)}/${id}/actions/resend`);
    const refused = await resend();
    expect([refused.status, refused.body.type, refused.headers['retry-after']]).toEqual([
      429,
      'rate_limit_error',
      String(DAY_MS / 2000),
    ]);
    await invite(other);
    server.clock.advanceMs(DAY_MS / 2);
    expect((await resend()).status).toBe(200);
  });

  it('counts nothing if it is refused', async () => {
    const owner = await signUp(server);
    for (let n = 0; n < 51; n++) {
      await owner.session.post(invitesOf(owner), { email: owner.email, role: 'viewer' });
    }
    await invite(owner);
  });

  it('goes with the project', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const token = await invitedToken(owner, email);
    const invited = await signUp(server, { email });
    expect((await owner.session.delete(`/v2/projects/${owner.projectId}`)).status).toBe(200);
    await expectDead(token);
    expect((await accept(invited.session, token)).status).toBe(404);
    expect((await signUpInvited(newAddress(), token)).body.type).toBe('invite_invalid');
  });
});

describe('the link of an invite', () => {
  it('shows what it is about, also when the person who sent it has deleted their account', async () => {
    const owner = await signUp(server, { projectName: 'Engines' });
    await owner.session.post('/auth/me', { name: 'Ada' });
    const inviter = await joinAs(server, 'admin', owner.projectId);
    const email = newAddress();
    const { expires_at: expiresAt } = await invite({ ...inviter, projectId: owner.projectId }, email);
    const token = tokenTo(email);
    const shown = {
      object: 'invite',
      email,
      role: 'developer',
      project: { id: owner.projectId, name: 'Engines' },
      invited_by: { name: null, email: inviter.email },
      expires_at: expiresAt,
      account_exists: false,
    };
    const answer = await lookUp(token);
    expect([answer.status, answer.body]).toEqual([200, shown]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const invited = await signUp(server, { email });
    const id = await userIdOf(inviter);
    for (const table of ['project_members', 'sessions']) {
      await server.dataSource.query(`DELETE FROM ${table} WHERE user_id = $1`, [id]);
    }
    await server.dataSource.query('DELETE FROM users WHERE id = $1', [id]);
    expect((await lookUp(token)).body).toEqual({
      ...shown,
      invited_by: { name: null, email: null },
      account_exists: true,
    });
    expect((await owner.session.get(invitesOf(owner))).body.items).toMatchObject([{ invited_by: id }]);
    expect((await accept(invited.session, token)).status).toBe(200);
  });

  it.each([
    ['no invite has', 'x'.repeat(43)],
    ['is short', 'x'],
    ['is a NUL', '%00'],
    ['is not ASCII', '%F0%9F%98%80'],
    ['is long', 'a'.repeat(5000)],
  ])('answers unknown for a token that %s', async (_, token) => {
    await expectDead(token);
  });
});

describe('accepting an invite', () => {
  it('makes the person a member with the role, and confirms their address', async () => {
    const owner = await signUp(server);
    const invited = await signUp(server);
    const token = await invitedToken(owner, invited.email, 'viewer');
    await server.dataSource.query('UPDATE users SET email_verified = false WHERE email = $1', [
      invited.email,
    ]);
    expect((await server.http.post(`/auth/invites/${token}/accept`)).status).toBe(401);
    const answer = await accept(invited.session, token);
    expect([answer.status, answer.body]).toEqual([200, { ok: true, project_id: owner.projectId }]);
    const me = (await invited.session.get('/auth/me')).body;
    expect(me.user.email_verified).toBe(true);
    const roles = Object.fromEntries((me.projects as Json[]).map(({ id, role }) => [id, role]));
    expect(roles).toEqual({ [invited.projectId]: 'admin', [owner.projectId]: 'viewer' });
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'admin', [invited.email]: 'read_only' });
    expect((await owner.session.get(invitesOf(owner))).body.items).toEqual([]);
    expect(await audited(owner, 'invite_accepted')).toMatchObject([
      {
        actor_type: 'user',
        actor_identifier: invited.email,
        additional_data: { user_id: me.user.id },
      },
    ]);
    await expectDead(token);
    expect((await accept(invited.session, token)).status).toBe(404);
  });

  it('fails with another address, from another site, and after the link stopped', async () => {
    const owner = await signUp(server);
    const invited = await signUp(server);
    const { id } = await invite(owner, invited.email);
    const token = tokenTo(invited.email);
    const other = await signUp(server);
    const refused = await accept(other.session, token);
    expect([refused.status, refused.body.type]).toEqual([403, 'authorization_error']);
    const path = `/auth/invites/${token}/accept`;
    const foreign = await invited.session.post(path, undefined, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.body.type]).toEqual([403, 'csrf_failed']);
    server.clock.advanceMs(7 * DAY_MS);
    expect((await accept(invited.session, token)).status).toBe(404);
    await owner.session.post(`${invitesOf(owner)}/${id}/actions/resend`);
    expect((await accept(invited.session, token)).status).toBe(404);
    const fresh = tokenTo(invited.email);
    await owner.session.delete(`${invitesOf(owner)}/${id}`);
    expect((await accept(invited.session, fresh)).status).toBe(404);
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'admin' });
  });

  it('leaves the role of a member as it is', async () => {
    const owner = await signUp(server);
    const invited = await signUp(server);
    const token = await invitedToken(owner, invited.email, 'viewer');
    await server.dataSource.query(
      `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'admin', now())`,
      [owner.projectId, await userIdOf(invited)],
    );
    expect((await accept(invited.session, token)).status).toBe(200);
    expect((await rolesIn(owner))[invited.email]).toBe('admin');
    await expectDead(token);
  });

  it('works once, however often it is sent at the same time', async () => {
    const owner = await signUp(server);
    const invited = await signUp(server);
    const token = await invitedToken(owner, invited.email);
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept(invited.session, token)));
    expect(statuses(answers)).toEqual([200, 404, 404, 404]);
    expect(Object.keys(await rolesIn(owner))).toHaveLength(2);
    expect(await audited(owner, 'invite_accepted')).toHaveLength(1);
  });
});

describe('signing up with an invite', () => {
  it('works where sign-up is closed; the account is confirmed and joins instead of getting a project', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const token = await invitedToken(owner, email, 'admin');
    expect((await closed.http.get('/auth/config')).body.signup).toBe('closed');
    const answer = await signUpInvited(email, token, closed);
    expect([answer.status, answer.body]).toEqual([201, { ok: true, project_id: owner.projectId }]);
    const session = closed.http.withCookie(sessionCookie(answer));
    const me = (await session.get('/auth/me')).body;
    expect(me.user).toMatchObject({ email, email_verified: true });
    expect(me.projects).toMatchObject([{ id: owner.projectId, role: 'admin' }]);
    const rows = await server.dataSource.query('SELECT method FROM sessions WHERE user_id = $1', [
      me.user.id,
    ]);
    expect(rows).toEqual([{ method: 'invite' }]);
    expect(await audited(owner, 'invite_accepted')).toHaveLength(1);
    await expectDead(token);
  });

  it('fails with the invite of another address, and with one that is not open; nothing is created', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const { id } = await invite(owner, email);
    const token = tokenTo(email);
    const refused = async (address: string, given: string) => {
      const { status, body, headers } = await signUpInvited(address, given, closed);
      expect(headers['set-cookie']).toBeUndefined();
      return [status, body.type, body.param];
    };
    const mismatch = [400, 'invite_email_mismatch', 'invite_token'];
    const invalid = [400, 'invite_invalid', 'invite_token'];
    expect(await refused(newAddress(), token)).toEqual(mismatch);
    expect(await refused(email, 'x'.repeat(43))).toEqual(invalid);
    await owner.session.delete(`${invitesOf(owner)}/${id}`);
    expect(await refused(email, token)).toEqual(invalid);
    const late = await invitedToken(owner, email);
    server.clock.advanceMs(7 * DAY_MS);
    expect(await refused(email, late)).toEqual(invalid);
    const [{ count }] = await server.dataSource.query<[{ count: unknown }]>(
      'SELECT count(*) FROM users WHERE email = $1',
      [email],
    );
    expect(Number(count)).toBe(0);
  });

  it('checks the body first, then the invite, then whether the address is taken', async () => {
    const owner = await signUp(server);
    const invited = await signUp(server);
    const token = await invitedToken(owner, invited.email);
    const short = { email: invited.email, password: 'short', invite_token: 'x' };
    expect((await server.http.post('/auth/signup', short)).body.param).toBe('password');
    expect((await signUpInvited(owner.email, token)).body.type).toBe('invite_email_mismatch');
    expect((await signUpInvited(owner.email, 'x')).body.type).toBe('invite_invalid');
    const taken = await signUpInvited(invited.email, token);
    expect([taken.status, taken.body.type]).toEqual([409, 'resource_already_exists']);
    expect((await lookUp(token)).body.account_exists).toBe(true);
  });

  it('creates one account, however often it is sent at the same time', async () => {
    const owner = await signUp(server);
    const email = newAddress();
    const token = await invitedToken(owner, email);
    const answers = await Promise.all([1, 2, 3].map(() => signUpInvited(email, token)));
    const [created, ...others] = statuses(answers);
    expect(created).toBe(201);
    expect(others.every((status) => status === 409 || status === 400)).toBe(true);
    expect(Object.keys(await rolesIn(owner))).toHaveLength(2);
  });
});

describe('the projects of an account', () => {
  it.each(['admin', 'developer', 'viewer'] as const)('shows the permissions of the role %s', async (role) => {
    const owner = await signUp(server, { projectName: 'Engines' });
    const member = await joinAs(server, role, owner.projectId);
    const { projects } = (await member.session.get('/auth/me')).body;
    expect(projects.find(({ id }: Json) => id === owner.projectId)).toEqual({
      id: owner.projectId,
      name: 'Engines',
      role,
      permissions: [...rolePermissions[role]],
      organization_id: null,
      created_at: expect.any(Number),
    });
  });
});

describe('the role of a member', () => {
  const change = (by: SignedUp, owner: SignedUp, userId: string, role: unknown) =>
    by.session.post(`${collaboratorsOf(owner)}/${userId}`, { role });

  it('changes by an admin, and the next request has the new rights', async () => {
    const owner = await signUp(server);
    const member = await joinAs(server, 'developer', owner.projectId);
    const id = await userIdOf(member);
    const create = () =>
      member.session.post(`/v2/projects/${owner.projectId}/entitlements`, {
        lookup_key: randomUUID(),
        display_name: 'Pro',
      });
    expect((await create()).status).toBe(201);
    const demoted = await change(owner, owner, id, 'viewer');
    expect([demoted.status, demoted.body]).toEqual([
      200,
      {
        object: 'collaborator',
        id,
        name: null,
        email: member.email,
        role: 'read_only',
        accepted_at: server.clock.nowMs(),
        has_mfa: false,
      },
    ]);
    expect((await create()).status).toBe(403);
    expect(await audited(owner, 'collaborator_updated')).toMatchObject([
      {
        target_identifier: id,
        additional_data: {
          role: 'viewer',
          changed_fields: ['role'],
          changes: { role: { old: 'developer', new: 'viewer' } },
        },
      },
    ]);
    expect((await change(owner, owner, id, 'admin')).status).toBe(200);
    expect((await create()).status).toBe(201);
    await invite({ ...member, projectId: owner.projectId });
    expect((await change(member, owner, await userIdOf(owner), 'developer')).status).toBe(200);
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'developer', [member.email]: 'admin' });
  });

  it('stays when others try to change it, or for people outside the project', async () => {
    const owner = await signUp(server);
    const developer = await joinAs(server, 'developer', owner.projectId);
    const stranger = await signUp(server);
    const { client } = await createSecretKey(owner.session, owner.projectId, ['*']);
    const [ownerId, id, strangerId] = [
      await userIdOf(owner),
      await userIdOf(developer),
      await userIdOf(stranger),
    ];
    expect((await change(developer, owner, id, 'admin')).status).toBe(403);
    expect((await change(developer, owner, ownerId, 'viewer')).status).toBe(403);
    expect((await change(stranger, owner, id, 'viewer')).status).toBe(404);
    expect((await client.post(`${collaboratorsOf(owner)}/${id}`, { role: 'viewer' })).status).toBe(403);
    for (const unknown of [strangerId, 'usr_unknown']) {
      const answer = await change(owner, owner, unknown, 'viewer');
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
    for (const role of ['read_only', 'owner', '', null, 5, undefined]) {
      const answer = await change(owner, owner, id, role);
      expect([role, answer.status, answer.body.param]).toEqual([role, 400, 'role']);
    }
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'admin', [developer.email]: 'developer' });
  });

  it('stays admin for the last one', async () => {
    const owner = await signUp(server);
    await joinAs(server, 'developer', owner.projectId);
    const id = await userIdOf(owner);
    for (const role of ['developer', 'viewer']) {
      const answer = await change(owner, owner, id, role);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', 'role']);
    }
    expect((await change(owner, owner, id, 'admin')).status).toBe(200);
  });
});

describe('leaving a project', () => {
  const remove = (by: ApiClient, owner: SignedUp, userId: string) =>
    by.delete(`${collaboratorsOf(owner)}/${userId}`);

  it('works for every member, and an admin can remove others; access ends at once', async () => {
    const owner = await signUp(server);
    const members = [
      await joinAs(server, 'viewer', owner.projectId),
      await joinAs(server, 'developer', owner.projectId),
      await joinAs(server, 'admin', owner.projectId),
    ];
    for (const member of members) {
      const id = await userIdOf(member);
      const answer = await remove(member.session, owner, id);
      const deleted = { object: 'collaborator', id, deleted_at: server.clock.nowMs() };
      expect([answer.status, answer.body]).toEqual([200, deleted]);
      expect((await member.session.get(`/v2/projects/${owner.projectId}`)).status).toBe(404);
      expect((await remove(member.session, owner, id)).status).toBe(404);
    }
    const removed = await joinAs(server, 'admin', owner.projectId);
    const id = await userIdOf(removed);
    expect((await remove(owner.session, owner, id)).status).toBe(200);
    expect((await removed.session.get(collaboratorsOf(owner))).status).toBe(404);
    expect((await removed.session.get('/auth/me')).body.projects).toHaveLength(1);
    const rows = await audited(owner, 'collaborator_removed');
    expect(rows.map((row) => [row.target_identifier, row.actor_identifier])).toContainEqual([
      id,
      owner.email,
    ]);
    expect((await remove(owner.session, owner, id)).status).toBe(404);
  });

  it('fails for others without being admin, for keys, and in other projects', async () => {
    const owner = await signUp(server);
    const developer = await joinAs(server, 'developer', owner.projectId);
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    const stranger = await signUp(server);
    const { client } = await createSecretKey(owner.session, owner.projectId, ['*']);
    const id = await userIdOf(viewer);
    expect((await remove(developer.session, owner, id)).status).toBe(403);
    expect((await remove(client, owner, id)).status).toBe(403);
    expect((await remove(stranger.session, owner, await userIdOf(stranger))).status).toBe(404);
    expect((await remove(owner.session, owner, await userIdOf(stranger))).status).toBe(404);
    expect(Object.keys(await rolesIn(owner))).toHaveLength(3);
  });

  it('fails for the last admin', async () => {
    const owner = await signUp(server);
    await joinAs(server, 'developer', owner.projectId);
    const answer = await remove(owner.session, owner, await userIdOf(owner));
    expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
    expect((await rolesIn(owner))[owner.email]).toBe('admin');
  });
});

describe('two admins at the same time', () => {
  /** Starts both calls, lets them pass every check before the members' rows, and then continue. */
  async function together(projectId: string, calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const runner = server.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT 1 FROM project_members WHERE project_id = $1 FOR UPDATE', [projectId]);
    const answers = Promise.all(calls.map((call) => call()));
    await untilBlocked(server, calls.length);
    await runner.commitTransaction();
    await runner.release();
    return answers;
  }

  async function twoAdmins(): Promise<[SignedUp, SignedUp, string, string]> {
    const one = await signUp(server);
    const two = await joinAs(server, 'admin', one.projectId);
    return [one, two, await userIdOf(one), await userIdOf(two)];
  }

  const admins = async ({ projectId }: SignedUp): Promise<number> =>
    (
      await server.dataSource.query<unknown[]>(
        `SELECT 1 FROM project_members WHERE project_id = $1 AND role = 'admin'`,
        [projectId],
      )
    ).length;

  it('prevents both from demoting the other', async () => {
    const [one, two, oneId, twoId] = await twoAdmins();
    const answers = await together(one.projectId, [
      () => one.session.post(`${collaboratorsOf(one)}/${twoId}`, { role: 'viewer' }),
      () => two.session.post(`${collaboratorsOf(one)}/${oneId}`, { role: 'viewer' }),
    ]);
    expect(statuses(answers)).toEqual([200, 400]);
    expect(await admins(one)).toBe(1);
  });

  it('prevents both from leaving', async () => {
    const [one, two, oneId, twoId] = await twoAdmins();
    const answers = await together(one.projectId, [
      () => one.session.delete(`${collaboratorsOf(one)}/${oneId}`),
      () => two.session.delete(`${collaboratorsOf(one)}/${twoId}`),
    ]);
    expect(statuses(answers)).toEqual([200, 422]);
    expect(await admins(one)).toBe(1);
  });

  it('prevents leaving while the other is demoted', async () => {
    const [one, , oneId, twoId] = await twoAdmins();
    const answers = await together(one.projectId, [
      () => one.session.post(`${collaboratorsOf(one)}/${twoId}`, { role: 'viewer' }),
      () => one.session.delete(`${collaboratorsOf(one)}/${oneId}`),
    ]);
    expect([200, 400, 422]).toEqual(expect.arrayContaining(statuses(answers)));
    expect(await admins(one)).toBe(1);
  });
});
