import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { parseContainer } from '../peers/config-container.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const POLL_MS = 20;

describe('a server that is killed while it publishes a paywall', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: TestStore;
  let key: string;
  let paywall: Json;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    server = await start();
    store = await createTestStore(server);
    ({ key } = await createSecretKey(store.session, store.projectId));
    const body = { offering_id: store.offering.id, template_id: 'two_plans' };
    paywall = (await store.backend.post(`${store.path}/paywalls`, body)).body;
  });

  afterAll(async () => {
    await server?.stop();
    await client?.end();
    await database?.drop();
  });

  const start = (): Promise<ServerProcess> => {
    const settings = databaseSettings(database.url);
    return startServerProcess(settings.DATABASE_URL ?? '', {
      ...settings,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
    });
  };

  const until = async (sql: string, values: unknown[] = []): Promise<void> => {
    while ((await client.query(sql, values)).rows.length === 0) await pause(POLL_MS);
  };

  const backend = (): ApiClient => server.http.withKey(key);
  const publish = () => backend().post(`${store.path}/paywalls/${paywall.id}/actions/publish`);

  /** Kills the server, whose request then has no answer. */
  const kill = async (): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
  };

  /** Workflows in remote configuration, and whether all content that it names is there, by its checksums. */
  const served = async (): Promise<{ workflows: string[]; hasContent: boolean }> => {
    const answer = await fetch(`${server.baseUrl}/v1/config/app`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.publicKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const [first] = parseContainer(Buffer.from(await answer.arrayBuffer()));
    const { topics } = JSON.parse(first?.payload.toString() ?? '');
    const { workflows = {}, ui_config: uiConfig = {} } = topics;
    const content = await Promise.all(
      [...Object.values<Json>(workflows), ...Object.values<Json>(uiConfig)].map(async ({ blob_ref: ref }) => {
        const blob = await fetch(`${server.baseUrl}/v1/blobs/${store.projectId}/${ref}`);
        const bytes = Buffer.from(await blob.arrayBuffer());
        return createHash('sha256').update(bytes).digest().subarray(0, 24).toString('base64url') === ref;
      }),
    );
    return { workflows: Object.keys(workflows), hasContent: content.length > 0 && !content.includes(false) };
  };

  const rows = async (): Promise<Json> => {
    const { rows: found } = await client.query<Json>(
      `SELECT (SELECT count(*)::int FROM paywall_versions WHERE project_id = $1) AS versions,
         (SELECT count(*)::int FROM content_blobs WHERE project_id = $1) AS blobs,
         (SELECT published_revision FROM paywalls WHERE project_id = $1) AS published,
         (SELECT count(*)::int FROM audit_logs WHERE project_id = $1 AND action_type = 'paywall_published') AS audited`,
      [store.projectId],
    );
    return found[0];
  };

  it('publishes nothing before the commit, and another server publishes everything', async () => {
    // Holds back the audit row, the last of the transaction.
    await client.query('BEGIN');
    await client.query('LOCK TABLE audit_logs IN EXCLUSIVE MODE');
    const unanswered = publish().catch(() => null);
    await until(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await kill();
    expect(await unanswered).toBeNull();
    await client.query('COMMIT');
    server = await start();
    expect(await rows()).toEqual({ versions: 0, blobs: 0, published: null, audited: 0 });
    expect(await served()).toEqual({ workflows: [], hasContent: false });

    expect((await publish()).status).toBe(200);
    expect(await rows()).toEqual({ versions: 1, blobs: 5, published: 1, audited: 1 });
    expect(await served()).toEqual({ workflows: [`wf${paywall.id}`], hasContent: true });
  });

  it('has published everything after the commit, and a repeat changes nothing', async () => {
    const path = `${store.path}/paywalls/${paywall.id}`;
    const { body } = await backend().get(`${path}?expand=components`);
    const { revision, components_localizations: texts } = body.components.published;
    const [first = ''] = Object.keys(texts.en_US);
    await backend().send('PATCH', path, {
      revision,
      components_localizations: { ...texts, en_US: { ...texts.en_US, [first]: 'Second' } },
    });
    const unheard = publish().catch(() => null);
    await until('SELECT 1 FROM paywalls WHERE project_id = $1 AND published_revision = 2', [store.projectId]);
    await kill();
    await unheard;
    server = await start();
    const after = { versions: 2, blobs: 6, published: 2, audited: 2 };
    expect(await rows()).toEqual(after);
    expect(await served()).toEqual({ workflows: [`wf${paywall.id}`], hasContent: true });
    expect((await publish()).status).toBe(200);
    // The repeat is audited too.
    expect(await rows()).toEqual({ ...after, audited: 3 });
  });
});
