import { randomUUID } from 'node:crypto';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Answer, Json } from '../support/api-client.js';
import { shop } from '../support/world.js';

describe('retention rules of an app', () => {
  const world = shop();
  let path: string;
  let appId: string;
  let product: Json;
  const messageId = randomUUID();

  beforeAll(async () => {
    const app = await world.backend.post(`${world.path}/apps`, {
      name: 'iOS app',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app', app_apple_id: 6443000000 },
    });
    appId = app.body.id;
    path = `${world.path}/apps/${appId}/retention_rules`;
    product = (
      await world.backend.post(`${world.path}/products`, {
        store_identifier: 'pro_yearly',
        app_id: appId,
        type: 'subscription',
      })
    ).body;
  });

  afterEach(async () => {
    for (const { id } of await list()) await world.backend.delete(`${path}/${id}`);
  });

  const create = (more: object = {}): Promise<Answer> =>
    world.backend.post(path, { display_name: 'Everyone', message_id: messageId, ...more });
  const list = async (): Promise<Json[]> => (await world.backend.get(path)).body.items;

  it('creates, reads, changes and deletes a rule', async () => {
    const conditions = [{ field: 'paid_periods', operator: '>=', value: 12, context: null }];
    const created = await create({ conditions, alternate_product_id: product.id });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      object: 'retention_rule',
      id: expect.stringMatching(/^rtrl/),
      app_id: appId,
      environment: 'production',
      display_name: 'Everyone',
      conditions,
      message_id: messageId,
      alternate_product_id: product.id,
      promotional_offer: null,
      position: 1,
      created_at: world.clock.nowMs(),
      updated_at: world.clock.nowMs(),
    });
    const url = `${path}/${created.body.id}`;
    expect((await world.backend.get(url)).body).toEqual(created.body);
    world.clock.advanceMs(1_000);
    const offer = { product_id: product.id, offer_id: 'half_price' };
    const changed = await world.backend.post(url, {
      display_name: 'An offer',
      alternate_product_id: null,
      promotional_offer: offer,
    });
    expect(changed.body).toEqual({
      ...created.body,
      display_name: 'An offer',
      alternate_product_id: null,
      promotional_offer: offer,
      updated_at: world.clock.nowMs(),
    });
    const deleted = await world.backend.delete(url);
    expect(deleted.body).toEqual({
      object: 'retention_rule',
      id: created.body.id,
      deleted_at: world.clock.nowMs(),
    });
    for (const answer of [await world.backend.get(url), await world.backend.delete(url)])
      expect(answer.status).toBe(404);
    const log = (await world.session.get(`${world.path}/audit_logs?limit=10`)).body.items;
    expect(log.map(({ action_type }: Json) => action_type)).toEqual(
      expect.arrayContaining(['retention_rule_created', 'retention_rule_updated', 'retention_rule_deleted']),
    );
  });

  it('orders the rules by the priority list', async () => {
    const [a, b, c] = [(await create()).body.id, (await create()).body.id, (await create()).body.id];
    expect((await list()).map(({ id, position }) => [id, position])).toEqual([
      [a, 1],
      [b, 2],
      [c, 3],
    ]);
    const reorder = (ids: string[]): Promise<Answer> =>
      world.backend.send('PUT', `${path}/priority_list`, { rule_ids: ids });
    const ordered = await reorder([c, a, b]);
    expect(ordered.body.items.map(({ id }: Json) => id)).toEqual([c, a, b]);
    expect((await list()).map(({ id }) => id)).toEqual([c, a, b]);
    for (const ids of [
      [c, a],
      [c, a, a],
      [c, a, 'rtrlunknown'],
    ]) {
      const bad = await reorder(ids);
      expect([bad.status, bad.body.param]).toEqual([400, 'rule_ids']);
    }
  });

  it('allows 50 rules an app', async () => {
    for (let count = 0; count < 50; count++) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(422);
  });

  it('rejects bad input, naming the field', async () => {
    const condition = { field: 'paid_periods', operator: '>=', value: 12 };
    const offer = { product_id: product.id, offer_id: 'half_price' };
    for (const [param, body] of [
      ['display_name', { display_name: '' }],
      ['message_id', { message_id: 'no-uuid' }],
      ['environment', { environment: 'xcode' }],
      ['conditions', { conditions: {} }],
      ['conditions[0].field', { conditions: [{ ...condition, field: 'refund_reason' }] }],
      ['conditions[0].operator', { conditions: [{ ...condition, operator: 'in' }] }],
      ['conditions[1].value', { conditions: [condition, { ...condition, value: -1 }] }],
      ['promotional_offer', { alternate_product_id: product.id, promotional_offer: offer }],
      ['promotional_offer.offer_id', { promotional_offer: { ...offer, offer_id: '' } }],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    }
    for (const [param, body] of [
      ['alternate_product_id', { alternate_product_id: 'produnknown' }],
      ['alternate_product_id', { alternate_product_id: world.products.monthly.id }],
      ['promotional_offer.product_id', { promotional_offer: { ...offer, product_id: 'produnknown' } }],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, answer.body.param]).toEqual([404, param]);
    }
    expect(await list()).toEqual([]);
  });

  it('exists only for apps of the App Store', async () => {
    const test = await world.backend.post(`${world.path}/apps/${world.appId}/retention_rules`, {
      display_name: 'Everyone',
      message_id: messageId,
    });
    expect(test.status).toBe(422);
  });

  it('refuses to delete a message that a rule shows', async () => {
    await world.backend.post(`${world.path}/apps/${appId}`, {
      app_store: {
        subscription_private_key: 'key',
        subscription_key_id: 'id',
        subscription_key_issuer: 'issuer',
      },
    });
    const { id } = (await create()).body;
    const messages = `${world.path}/apps/${appId}/retention_messages`;
    const refused = await world.backend.delete(`${messages}/${messageId}`);
    expect([refused.status, refused.body.referenced_object_ids]).toEqual([409, [id]]);
  });

  it("does not lead to another project's rules", async () => {
    const other: TestStore = await createTestStore(world.server);
    const { id } = (await create()).body;
    const foreign = `${other.path}/apps/${appId}/retention_rules`;
    const body = { display_name: 'Everyone', message_id: messageId };
    const calls: [string, string, object?][] = [
      ['GET', foreign],
      ['POST', foreign, body],
      ['PUT', `${foreign}/priority_list`, { rule_ids: [id] }],
      ['GET', `${foreign}/${id}`],
      ['POST', `${foreign}/${id}`, body],
      ['DELETE', `${foreign}/${id}`],
    ];
    for (const [method, url, sent] of calls)
      expect([method, url, (await other.backend.send(method, url, sent)).status]).toEqual([method, url, 404]);
    const otherApp = `${world.path}/apps/${world.appId}/retention_rules/${id}`;
    expect((await world.backend.get(otherApp)).status).toBe(404);
  });

  it('lets keys that may only read apps change nothing', async () => {
    const { id } = (await create()).body;
    const { client } = await createSecretKey(world.session, world.projectId, [
      'project_configuration:apps:read',
    ]);
    expect((await client.get(path)).status).toBe(200);
    expect((await client.get(`${path}/${id}`)).status).toBe(200);
    expect((await client.post(path, { display_name: 'x', message_id: messageId })).status).toBe(403);
    expect((await client.post(`${path}/${id}`, { display_name: 'x' })).status).toBe(403);
    expect((await client.send('PUT', `${path}/priority_list`, { rule_ids: [id] })).status).toBe(403);
    expect((await client.delete(`${path}/${id}`)).status).toBe(403);
  });
});
