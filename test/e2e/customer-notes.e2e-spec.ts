import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { walkList } from '../support/walk-list.js';
import { buyer, shop } from '../support/world.js';

describe('notes on a customer', () => {
  const store = shop();
  let support: SignedUp;
  let viewer: SignedUp;
  let count = 0;

  beforeAll(async () => {
    support = await joinAs(store.server, 'admin', store.projectId);
    viewer = await joinAs(store.server, 'viewer', store.projectId);
  });

  const at = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}/notes${suffix}`;
  const person = async (): Promise<string> => {
    const id = `noted-${++count}`;
    await store.sdk.get(`/v1/subscribers/${id}`);
    return id;
  };
  const write = (id: string, text: unknown, client: ApiClient = support.session): Promise<Answer> => {
    store.clock.advanceMs(1);
    return client.post(at(id), { text });
  };
  const textsOf = async (id: string): Promise<string[]> =>
    (await store.backend.get(at(id))).body.items.map(({ text }: Json) => text);
  const lastAudit = async (): Promise<Json> =>
    (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items[0];

  it('says who wrote a note and when, without its text in the audit log', async () => {
    const id = await person();
    const { status, body } = await write(id, 'Wants the yearly plan.\nCall on Monday.');
    expect([status, body]).toEqual([
      201,
      {
        object: 'customer_note',
        id: expect.stringMatching(/^note_[0-9a-z]{16}$/),
        text: 'Wants the yearly plan.\nCall on Monday.',
        author: { type: 'user', id: expect.stringMatching(/^usr_/), email: support.email },
        created_at: store.clock.nowMs(),
        edited_at: null,
      },
    ]);
    expect((await store.backend.get(at(id, `/${body.id}`))).body).toEqual(body);
    const log = await lastAudit();
    expect([log.action_type, log.target_identifier]).toEqual(['customer_note_created', id]);
    expect(JSON.stringify(log)).toContain(body.id);
    expect(JSON.stringify(log)).not.toContain('yearly');
    const byKey = await write(id, 'Imported from the help desk.', store.backend);
    expect(byKey.body.author).toEqual({
      type: 'api_key',
      id: expect.stringMatching(/^key_/),
      email: null,
    });
  });

  it('lists notes newest first, in pages, under any app user id of the customer', async () => {
    const id = await person();
    for (const text of ['one', 'two', 'three']) await write(id, text);
    expect(await textsOf(id)).toEqual(['three', 'two', 'one']);
    const all = await walkList(store.backend, at(id), 1);
    expect(all.map(({ text }) => text)).toEqual(['three', 'two', 'one']);
    expect((await store.backend.get(at(id, '?starting_after=note_0'))).status).toBe(400);
    expect((await store.backend.get(at('nobody-noted'))).status).toBe(404);
  });

  it('lets only the author change a note, and records that it was edited', async () => {
    const id = await person();
    const { body: note } = await write(id, 'Wants a refund.');
    const path = at(id, `/${note.id}`);
    store.clock.advanceMs(1);
    expect((await store.backend.post(path, { text: 'x' })).status).toBe(403);
    const edited = await support.session.post(path, { text: 'Got a refund.' });
    expect([edited.status, edited.body]).toEqual([
      200,
      { ...note, text: 'Got a refund.', edited_at: store.clock.nowMs() },
    ]);
    expect((await lastAudit()).action_type).toBe('customer_note_edited');
  });

  it('lets everyone who may change customers delete a note', async () => {
    const id = await person();
    const { body: note } = await write(id, 'Written by mistake.');
    const path = at(id, `/${note.id}`);
    store.clock.advanceMs(1);
    expect((await store.backend.delete(path)).body).toEqual({
      object: 'customer_note',
      id: note.id,
      deleted_at: store.clock.nowMs(),
    });
    expect((await lastAudit()).action_type).toBe('customer_note_deleted');
    expect(await textsOf(id)).toEqual([]);
    for (const call of [store.backend.get(path), store.backend.delete(path)])
      expect((await call).status).toBe(404);
    expect((await support.session.post(path, { text: 'x' })).status).toBe(404);
  });

  it.each([
    ['no text', undefined],
    ['an empty text', ''],
    ['a blank text', ' \n\t'],
    ['a text that is too long', 'x'.repeat(5_001)],
    ['a number', 7],
    ['NUL', 'a\u0000b'],
  ])('rejects %s', async (_, text) => {
    const id = await person();
    const { status, body } = await write(id, text);
    expect([status, body.param]).toEqual([400, 'text']);
    expect(await textsOf(id)).toEqual([]);
  });

  it('accepts 5,000 characters and a customer with a strange id', async () => {
    const id = `ü ${++count}?`;
    await store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`);
    expect((await write(id, 'ü'.repeat(5_000))).status).toBe(201);
    expect((await textsOf(id))[0]).toHaveLength(5_000);
  });

  it('creates a note once when the request is repeated with its idempotency key', async () => {
    const id = await person();
    const key = { 'idempotency-key': `note-${count}` };
    const first = await store.backend.post(at(id), { text: 'once' }, key);
    const again = await store.backend.post(at(id), { text: 'once' }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await textsOf(id)).toEqual(['once']);
  });

  it('needs permissions of customers, and keeps projects apart', async () => {
    const id = await person();
    const { body: note } = await write(id, 'Secret');
    const path = at(id, `/${note.id}`);
    expect((await viewer.session.get(at(id))).status).toBe(200);
    expect((await write(id, 'x', viewer.session)).status).toBe(403);
    const reader = await createSecretKey(support.session, store.projectId, [
      'customer_information:customers:read',
    ]);
    const other = await createSecretKey(support.session, store.projectId, [
      'customer_information:purchases:read_write',
    ]);
    expect((await reader.client.get(path)).status).toBe(200);
    expect((await reader.client.post(path, { text: 'x' })).status).toBe(403);
    expect((await reader.client.delete(path)).status).toBe(403);
    expect((await other.client.get(path)).status).toBe(403);
    expect((await store.sdk.get(path)).status).toBe(403);

    const foreigner = await signUp(store.server, { projectName: 'Other' });
    const theirs = `/v2/projects/${foreigner.projectId}/customers`;
    await foreigner.session.post(theirs, { id });
    for (const answer of [
      await foreigner.session.get(`${theirs}/${id}/notes/${note.id}`),
      await foreigner.session.post(`${theirs}/${id}/notes/${note.id}`, { text: 'x' }),
      await foreigner.session.delete(`${theirs}/${id}/notes/${note.id}`),
    ])
      expect(answer.status).toBe(404);
    expect((await foreigner.session.get(`${theirs}/${id}/notes`)).body.items).toEqual([]);
    expect((await foreigner.session.get(path)).status).toBe(404);
    expect((await support.session.get(at(await person(), `/${note.id}`))).status).toBe(404);
    expect(await textsOf(id)).toEqual(['Secret']);
  });

  it('keeps the notes of both customers when they merge', async () => {
    const id = await person();
    const anonymous = `$RCAnonymousID:${(++count).toString(16).padStart(32, '0')}`;
    await store.sdk.get(`/v1/subscribers/${encodeURIComponent(anonymous)}`);
    await write(id, 'of the known one');
    await write(anonymous, 'of the anonymous one');
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: id });
    expect(await textsOf(id)).toEqual(['of the anonymous one', 'of the known one']);
    expect(await textsOf(anonymous)).toEqual(['of the anonymous one', 'of the known one']);
  });

  it('stays with the customer whose purchases are transferred', async () => {
    const [giver, taker] = [buyer(store), buyer(store)];
    await giver.buy('pro_monthly');
    await taker.buy('coins_100');
    await write(giver.id, 'about the giver');
    store.clock.advanceMs(1);
    const body = { target_customer_id: taker.id };
    expect((await store.backend.post(`${giver.path}/actions/transfer`, body)).status).toBe(200);
    expect([await textsOf(giver.id), await textsOf(taker.id)]).toEqual([['about the giver'], []]);
  });

  it('exports notes with the customer, without their authors, and erases them with the customer', async () => {
    const id = await person();
    await write(id, 'Asked for a copy of everything.');
    const text = (await store.backend.get(`${store.path}/customers/${id}/export`)).text;
    const lines: Json[] = text
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    const [note] = lines.filter(({ object }) => object === 'customer.note');
    expect(note).toMatchObject({ text: 'Asked for a copy of everything.', edited_at: null });
    expect(text).not.toContain(support.email);

    store.clock.advanceMs(1);
    expect((await store.backend.delete(`${store.path}/customers/${id}`)).status).toBe(200);
    expect((await store.backend.get(at(id))).status).toBe(404);
    await store.sdk.get(`/v1/subscribers/${id}`);
    expect(await textsOf(id)).toEqual([]);
    const rows = await store.server.dataSource.query(
      `SELECT 1 FROM customer_notes WHERE project_id = $1 AND text = $2`,
      [store.projectId, 'Asked for a copy of everything.'],
    );
    expect(rows).toEqual([]);
  });
});
