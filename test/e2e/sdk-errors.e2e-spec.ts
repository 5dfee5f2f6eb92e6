import { jest } from '@jest/globals';
import { testStore, type VerificationFailure } from '../../libs/stores/index.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { type V1Code, v1Codes } from '../../src/platform/http/errors/v1-codes.js';
import type { Answer, Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

type Fate = 'finish' | 'keep';

/** The iOS SDK finishes the purchase on any answer except a 5xx. */
function onIos({ status }: Answer): Fate {
  return status >= 500 ? 'keep' : 'finish';
}

/** The Android SDK acts as iOS does, and also keeps purchases reported as unsupported. */
function onAndroid({ status, body }: Answer): Fate {
  return status >= 500 || body.code === 7662 ? 'keep' : 'finish';
}

describe('a posted receipt that is not accepted', () => {
  let server: TestServer;
  let store: TestStore;
  const keys: Record<string, string> = {};
  let tokens = 0;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
    for (const [type, settings] of Object.entries({
      app_store: { bundle_id: 'com.example.app' },
      roku: null,
      paddle: null,
      rc_billing: null,
      stripe: { require_secret_key_for_receipts: true },
    })) {
      const app = await store.backend.post(`${store.path}/apps`, { name: type, type, [type]: settings });
      const shown = await store.backend.get(`${store.path}/apps/${app.body.id}/public_api_keys`);
      keys[type] = shown.body.items[0].key;
    }
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server.close());

  const token = (): string => `test_${server.clock.nowMs()}_refused-${++tokens}`;
  const receipt = (more: object = {}): Json => ({
    app_user_id: 'buyer',
    fetch_token: token(),
    product_id: 'pro_monthly',
    ...more,
  });
  const post = (body: unknown, key = store.publicKey) => server.http.withKey(key).post('/v1/receipts', body);

  function expectFate(answer: Answer, status: number, code: V1Code, ios: Fate, android: Fate = ios): void {
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([onIos(answer), onAndroid(answer)]).toEqual([ios, android]);
    expect(v1Codes[code].statuses).toContain(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-revenuecat-etag']).toBeUndefined();
    expect(Object.keys(answer.body)).toEqual(['code', 'message']);
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }

  it.each<[string, () => Promise<Answer>, number, V1Code, Fate, Fate]>([
    ['an unknown key', () => post(receipt(), 'test_unknown'), 401, 7225, 'finish', 'finish'],
    ['no key', () => server.http.post('/v1/receipts', receipt()), 401, 7225, 'finish', 'finish'],
    ['a refused customer', () => post(receipt({ app_user_id: 'null' })), 400, 7220, 'finish', 'finish'],
    ['no customer', () => post(receipt({ app_user_id: undefined })), 400, 7220, 'finish', 'finish'],
    ['no token', () => post(receipt({ fetch_token: null })), 400, 7226, 'finish', 'finish'],
    ['no product', () => post(receipt({ product_id: null })), 400, 7226, 'finish', 'finish'],
    ['a token of another form', () => post(receipt({ fetch_token: 'MIIT' })), 400, 7103, 'finish', 'finish'],
    ['a body that is no object', () => post([]), 400, 7226, 'finish', 'finish'],
    ['a token that Apple never made', () => post(receipt(), keys.app_store), 400, 7103, 'finish', 'finish'],
    ['a Roku app without a key', () => post(receipt(), keys.roku), 503, 7101, 'keep', 'keep'],
    ['a token that is not one of Paddle', () => post(receipt(), keys.paddle), 400, 7103, 'finish', 'finish'],
    [
      'a public key where only a secret key may post',
      () => post(receipt(), keys.stripe),
      403,
      7662,
      'finish',
      'keep',
    ],
    ['web payments', () => post(receipt(), keys.rc_billing), 400, 7000, 'finish', 'finish'],
    [
      'a secret key that does not say which app it means',
      () => store.backend.post('/v1/receipts', receipt()),
      400,
      7000,
      'finish',
      'finish',
    ],
  ])('handles it with %s', async (_, call, status, code, ios, android) => {
    expectFate(await call(), status, code, ios, android);
  });

  it('finishes if it belongs to another customer', async () => {
    await store.backend.post(store.path, { sandbox_transfer_behavior: 'keep' });
    const body = receipt({ app_user_id: 'owner' });
    expect((await post(body)).status).toBe(200);
    expectFate(await post({ ...body, app_user_id: 'thief' }), 400, 7102, 'finish');
  });

  it.each<[VerificationFailure['failure'], VerificationFailure['code'], number, Fate, Fate]>([
    ['permanent', 7103, 400, 'finish', 'finish'],
    ['permanent', 7105, 400, 'finish', 'finish'],
    ['permanent', 7106, 400, 'finish', 'finish'],
    ['permanent', 7226, 400, 'finish', 'finish'],
    ['permanent', 7662, 400, 'finish', 'keep'],
    ['permanent', 7712, 400, 'finish', 'finish'],
    ['temporary', 7101, 503, 'keep', 'keep'],
    ['temporary', 7229, 503, 'keep', 'keep'],
    ['temporary', 7231, 503, 'keep', 'keep'],
    ['temporary', 7651, 503, 'keep', 'keep'],
    ['credentials', 7104, 503, 'keep', 'keep'],
    ['credentials', 7107, 503, 'keep', 'keep'],
    ['credentials', 7230, 503, 'keep', 'keep'],
    ['credentials', 7234, 503, 'keep', 'keep'],
  ])('follows its store, %s with code %i: %i', async (failure, code, status, ios, android) => {
    const failed = { failure, code, message: 'The store says no.' } as VerificationFailure;
    jest.spyOn(testStore, 'verify').mockResolvedValue(failed);
    expectFate(await post(receipt()), status, code, ios, android);
  });

  it('stays with the SDK if a part of the server fails', async () => {
    jest.spyOn(testStore, 'verify').mockRejectedValue(new TypeError('a bug'));
    expectFate(await post(receipt()), 500, 7110, 'keep');
    jest.restoreAllMocks();
    const lost = Object.assign(new Error('Connection terminated'), { code: '08006' });
    jest.spyOn(server.app.get(DatabaseService), 'transaction').mockRejectedValue(lost);
    expectFate(await post(receipt()), 503, 7110, 'keep');
  });

  it('succeeds when it is posted again after the trouble is over', async () => {
    const body = receipt({ app_user_id: 'patient' });
    jest.spyOn(testStore, 'verify').mockResolvedValue({ failure: 'temporary', code: 7101, message: 'x' });
    expect((await post(body)).status).toBe(503);
    jest.restoreAllMocks();
    const answer = await post(body);
    expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
  });
});
