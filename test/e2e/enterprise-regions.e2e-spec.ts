import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { createOrganization, startEnterpriseServer } from '../support/arrange-enterprise.js';
import { until } from '../support/program.js';
import type { TestServer } from '../support/test-server.js';

interface Place {
  person: SignedUp;
  path: string;
  appId: string;
  publicKey: string;
  secretKey: string;
}

describe('regions', () => {
  /** Two deployments on one database: one that only records regions, and one that enforces them. */
  let recording: TestServer;
  let enforcing: TestServer;
  let here: Place;
  let away: Place;
  let organization: string;

  async function place(): Promise<Place> {
    const person = await signUp(recording);
    const { client, key: secretKey } = await createSecretKey(person.session, person.projectId);
    const path = `/v2/projects/${person.projectId}`;
    const app = { name: 'App', type: 'app_store', app_store: { bundle_id: 'com.example.app' } };
    const { body } = await client.post(`${path}/apps`, app);
    const keys = await client.get(`${path}/apps/${body.id}/public_api_keys`);
    return { person, path, appId: body.id as string, publicKey: keys.body.items[0].key as string, secretKey };
  }

  beforeAll(async () => {
    recording = await startEnterpriseServer();
    here = await place();
    away = await place();
    ({ path: organization } = await createOrganization(recording, { owner: away.person }));
    await away.person.session.post(`${organization}/projects`, { project_id: away.person.projectId });
    const eu = { api_url: 'https://api.eu.example.com/', app_url: 'https://app.eu.example.com' };
    enforcing = await startEnterpriseServer({
      databaseUrl: recording.databaseUrl,
      clock: recording.clock,
      env: { SERVICE_REGION: 'us', SERVICE_REGION_URLS: JSON.stringify({ eu }) },
    });
  });

  afterAll(async () => {
    await enforcing.close();
    await recording.close();
  });

  const sessionOf = ({ person }: Place) => enforcing.http.withCookie(person.cookie);

  it('that are enforced refuse the projects of others: 421 to REST, 503 to SDKs and stores', async () => {
    expect((await sessionOf(away).get(away.path)).status).toBe(200);
    const region = `${organization}/projects/${away.person.projectId}/region`;
    expect((await away.person.session.post(region, { region: 'eu' })).status).toBe(200);
    // The other process hears of it through the database.
    await until(async () => (await sessionOf(away).get(away.path)).status !== 200);
    for (const client of [sessionOf(away), enforcing.http.withKey(away.secretKey)]) {
      const { status, body, headers } = await client.get(`${away.path}/products`);
      expect([status, body.type, body.region]).toEqual([421, 'invalid_request', 'eu']);
      expect([body.api_url, body.app_url]).toEqual([
        'https://api.eu.example.com',
        'https://app.eu.example.com',
      ]);
      expect(headers['retry-after']).toBeUndefined();
    }
    const sdk = enforcing.http.withKey(away.publicKey);
    const notification = `/v1/notifications/apple/${away.appId}`;
    for (const answer of [
      await sdk.get('/v1/subscribers/ada'),
      await sdk.get('/v1/subscribers/ada'),
      await sdk.post('/v1/receipts', { fetch_token: 'x', app_user_id: 'ada' }),
      await enforcing.http.post(notification, { signedPayload: 'x' }),
    ]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
    }
    expect((await enforcing.http.withKey(here.publicKey).get('/v1/subscribers/ada')).status).toBe(201);
    expect((await sessionOf(here).get(here.path)).status).toBe(200);
  });

  it('that are enforced can be neither chosen nor changed', async () => {
    const { body } = await sessionOf(away).get(organization);
    expect(body).toMatchObject({ region_enforced: true, selectable_regions: ['us'] });
    for (const [url, change] of [
      [organization, { region: 'eu' }],
      ['/v2/organizations', { name: 'EU', region: 'eu' }],
    ] as const) {
      const { status, body: error } = await sessionOf(away).post(url, change);
      expect([url, status, error.param]).toEqual([url, 400, 'region']);
    }
    const region = `${organization}/projects/${away.person.projectId}/region`;
    const changed = await sessionOf(away).post(region, { region: 'us' });
    expect([changed.status, changed.body.type]).toEqual([422, 'unprocessable_entity_error']);
  });
});
