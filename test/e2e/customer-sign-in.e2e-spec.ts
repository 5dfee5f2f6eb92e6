import { claimsOf, signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('customers who sign in', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    await turnSignInOn(server, store.projectId);
  });

  afterAll(() => server.close());

  it('anonymous: get tokens that speak for a new customer', async () => {
    const { appUserId, tokens } = await signInAnonymously(server, store);
    expect(appUserId).toMatch(/^\$RCAnonymousID:[0-9a-f]{32}$/);
    expect(claimsOf(tokens.access_token)).toMatchObject({ sub: appUserId, aud: store.appId });
  });

  it('refresh and sign out', async () => {
    const { tokens } = await signInAnonymously(server, store);
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const renewed = await store.sdk.post('/v1/auth/token', body);
    expect(renewed.status).toBe(200);
    const gone = await store.sdk.post('/auth/revoke', { token: renewed.body.refresh_token });
    expect([gone.status, gone.body]).toEqual([200, {}]);
    const again = await store.sdk.post('/auth/token', {
      ...body,
      refresh_token: renewed.body.refresh_token,
    });
    expect([again.status, again.body.code]).toEqual([401, 7224]);
  });
});
