import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { patientServer } from '../support/patient-server.js';
import { codeOfStep, stepAt } from '../../src/workspace/accounts/two-factor/totp.js';
import type { Answer } from '../support/api-client.js';
import { PASSWORD, signUp, sessionCookie } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { plantExportSecrets } from '../support/exports/planted-exports.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { startReceiver, status } from '../support/webhook-receiver.js';

const SIGNING_KEY = randomBytes(32);
const ENCRYPTION_KEY = randomBytes(32);

/** A text that stands nowhere by chance. */
function secretText(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

function privateKeyPem(type: 'ec' | 'rsa' = 'ec'): string {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Every row of every table, as text; what is kept as bytes also as the text that stands in them. */
async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT quote_ident(table_name) AS table, quote_ident(column_name) AS column, data_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const table of new Set(columns.map((one) => one.table))) {
    const bytes = columns.filter((one) => one.table === table && one.type === 'bytea');
    const readable = bytes.map(({ column }) => `, encode(t.${column}, 'escape')`).join('');
    const { rows } = await client.query<{ text: string }>(
      `SELECT concat_ws(' ', t::text${readable}) AS text FROM ${table} t`,
    );
    texts.push(...rows.map((row) => row.text));
  }
  await client.end();
  return texts.join('\n');
}

/**
 * Stores that refuse or fail, and repeat all that they were sent. Google's address for tokens gives one; the one for
 * traces never answers.
 */
async function startIndiscreetStores() {
  const accessToken = `ya29.${secretText(40)}`;
  const asked: string[] = [];
  const traces: string[] = [];
  let status = 401;
  let repeated: string[] = [];
  const server = createServer(patientServer, (request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      if (url === '/v1/traces') return void traces.push(body);
      asked.push(`${url} ${headers.authorization} ${body}`);
      if (url.startsWith('/acme/')) {
        response.statusCode = 403;
        const message = [...repeated, headers.authorization].join(' ');
        response.end(`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`);
        return;
      }
      response.setHeader('content-type', 'application/json');
      if (url === '/token' && status !== 400) {
        response.end(JSON.stringify({ access_token: accessToken, expires_in: 3600, token_type: 'Bearer' }));
        return;
      }
      response.statusCode = status;
      const message = asked.at(-1);
      response.end(
        JSON.stringify({ error: { message, status: message, code: status }, message, errorMessage: message }),
      );
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessToken,
    asked,
    traces,
    answerWith: (code: number) => void (status = code),
    /** Sets the message with which a store of files refuses requests. */
    repeat: (texts: string[]) => void (repeated = texts),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('secrets', () => {
  let database: TestDatabase;
  let stores: Awaited<ReturnType<typeof startIndiscreetStores>>;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    stores = await startIndiscreetStores();
    server = await startServerProcess(database.url, {
      SERVICE_SIGNING_KEY: SIGNING_KEY.toString('base64'),
      SERVICE_ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'trace',
      SERVICE_TRUST_PROXY: '1',
      SERVICE_TEST_STORES: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: stores.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      SERVICE_APPLE_API_URL: stores.url,
      SERVICE_APPLE_SANDBOX_API_URL: stores.url,
      SERVICE_STRIPE_API_URL: stores.url,
      SERVICE_AMAZON_RVS_URL: stores.url,
      SERVICE_ROKU_API_URL: stores.url,
      SERVICE_PLAY_API_URL: stores.url,
      SERVICE_GOOGLE_TOKEN_URL: `${stores.url}/token`,
    });
  });

  afterAll(async () => {
    stores.close();
    await database.drop();
  });

  it('appears neither in the log, in traces, in answers about exports nor, readable, in the database', async () => {
    const planted: Record<string, string> = {
      'the password of an account': PASSWORD,
      'the signing key': SIGNING_KEY.toString('base64'),
      'the encryption key': ENCRYPTION_KEY.toString('base64'),
    };
    const done = (answer: Answer): Answer => {
      expect(answer.status).toBeLessThan(300);
      return answer;
    };

    const { email, cookie, session } = await signUp(server);
    planted['a session'] = cookie.split('=')[1] ?? '';
    const login = done(await server.http.post('/auth/login', { email, password: PASSWORD }));
    planted['another session'] = sessionCookie(login).split('=')[1] ?? '';
    planted['a wrong password'] = secretText(20);
    await server.http.post('/auth/login', { email, password: planted['a wrong password'] });
    const { secret } = done(await session.post('/auth/2fa/setup', { password: PASSWORD })).body;
    planted['the secret of an authenticator app'] = secret as string;
    const first = { code: codeOfStep(secret as string, stepAt(Date.now())) };
    const codes = done(await session.post('/auth/2fa/enable', first)).body.recovery_codes as string[];
    [planted['a recovery code'] = '', planted['a used recovery code'] = ''] = codes;
    const { body } = done(await server.http.post('/auth/login', { email, password: PASSWORD }));
    planted['a login token'] = body.login_token as string;
    const second = { login_token: body.login_token as string, recovery_code: codes[1] };
    done(await server.http.post('/auth/login/2fa', second));

    const store = await createTestStore(server);
    const path = `/v2/projects/${store.projectId}`;
    const key = done(await store.session.post(`${path}/api_keys`, { name: 'Key' }));
    planted['a secret key'] = key.body.key as string;
    await server.http.withKey(planted['a secret key']).get(`${path}/apps`);
    planted['a secret key that does not exist'] = `sk_${secretText(48)}`;
    await server.http.withKey(planted['a secret key that does not exist']).get(`${path}/apps`);

    const endpoint = await startReceiver();
    planted['the authorization header of a webhook'] = `Bearer ${secretText(30)}`;
    const hook = done(
      await store.backend.post(`${path}/integrations/webhooks`, {
        name: 'Backend',
        url: endpoint.url,
        authorization_header: planted['the authorization header of a webhook'],
      }),
    );
    planted['the signing secret of a webhook'] = hook.body.signing_secret as string;
    const hookPath = `${path}/integrations/webhooks/${hook.body.id}`;
    // An endpoint that tells what it was sent.
    endpoint.answerWith((response) => {
      response.writeHead(500);
      response.end(planted['the authorization header of a webhook']);
    });
    done(await store.backend.post(`${hookPath}/test`));
    await endpoint.received(1);
    endpoint.answerWith(status(200));
    const rotated = done(
      await store.backend.post(`${hookPath}/actions/rotate_secret`, {}, { 'idempotency-key': 'one' }),
    );
    planted['the new signing secret of a webhook'] = rotated.body.signing_secret as string;

    planted['an access token of Google'] = stores.accessToken;
    const account = {
      type: 'service_account',
      client_email: 'a@example.com',
      private_key: privateKeyPem('rsa'),
    };
    planted['the private key of a service account'] = account.private_key;
    const credentials: Record<string, Record<string, string>> = {
      app_store: {
        bundle_id: 'com.example',
        shared_secret: secretText(32),
        subscription_private_key: privateKeyPem(),
        subscription_key_id: 'ABCDEFGHIJ',
        subscription_key_issuer: '57246542-96fe-1a63-e053-0824d011072a',
      },
      mac_app_store: { bundle_id: 'com.example', shared_secret: secretText(32) },
      play_store: {
        package_name: 'com.example',
        play_service_account_credentials_json: JSON.stringify(account),
      },
      amazon: { package_name: 'com.example', shared_secret: secretText(64) },
      stripe: {
        stripe_secret_key: `rk_live_${secretText(40)}`,
        stripe_webhook_secret: `whsec_${secretText(40)}`,
      },
      roku: { roku_channel_id: '123456', roku_channel_name: 'Channel', roku_api_key: secretText(33) },
      paddle: { paddle_api_key: secretText(60), paddle_webhook_secret: `pdl_ntfset_${secretText(40)}` },
    };
    const tokens: Record<string, object> = {
      play_store: { fetch_token: `play-${secretText(30)}`, product_id: 'monthly' },
      amazon: { fetch_token: `amazon-${secretText(30)}`, store_user_id: 'user', product_id: 'monthly' },
      paddle: { fetch_token: `sub_${'0'.repeat(26)}`, product_id: 'monthly' },
      roku: { fetch_token: secretText(32), product_id: 'monthly' },
      stripe: { fetch_token: `sub_${secretText(20)}`, product_id: 'monthly' },
    };
    for (const [type, object] of Object.entries(credentials)) {
      const answer = await store.backend.post(`${path}/apps`, { name: type, type, [type]: object });
      if (answer.status !== 201) throw new Error(`${type}: ${answer.text}`);
      for (const [name, value] of Object.entries(object)) {
        if (/secret|private_key|api_key/.test(name)) planted[`${name} of ${type}`] = value;
      }
      const app = `${path}/apps/${answer.body.id}`;
      const keys = await store.backend.get(`${app}/public_api_keys`);
      const sdk = server.http.withKey(keys.body.items[0].key as string);
      for (const code of [401, 500, 400]) {
        stores.answerWith(code);
        await store.backend.post(`${app}/actions/verify_credentials`, {});
        if (tokens[type]) await sdk.post('/v1/receipts', { app_user_id: 'somebody', ...tokens[type] });
      }
    }
    // Every credential that a store can be sent was sent, and came back in what the store said.
    const sent = stores.asked.join('\n');
    for (const name of [
      'shared_secret of amazon',
      'roku_api_key of roku',
      'stripe_secret_key of stripe',
      'an access token of Google',
    ]) {
      expect(sent).toContain(planted[name]);
    }
    expect(stores.asked.some((call) => call.startsWith('/token'))).toBe(true);
    const [, token = ''] = /Bearer (ey\S+)/.exec(sent) ?? [];
    planted['a token for the App Store'] = token;

    const exports = await plantExportSecrets(store.session, store.projectId, stores.url, stores.repeat);
    Object.assign(planted, exports.planted);
    expect(exports.answers).toContain('AccessDenied): [masked]');

    // Bad requests tell of themselves in the log, too.
    planted['a secret in a body that is no JSON'] = secretText(24);
    const broken = `{"password": "${planted['a secret in a body that is no JSON']}"`;
    await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: broken,
    });
    planted['a purchase token in a receipt that is refused'] = `test_1_${secretText(30)}`;
    await store.sdk.post('/v1/receipts', {
      app_user_id: 'somebody',
      product_id: 'nothing',
      fetch_token: planted['a purchase token in a receipt that is refused'],
    });

    await endpoint.close();
    expect(await server.stop()).toBe(0);
    const log = server.output();
    const traces = stores.traces.join('\n');
    const rows = await dump(database.url);
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(33);
    // Both hold what they may hold.
    expect(rows).toContain(email);
    expect(log).toContain('/auth/login');
    expect(traces).toContain('POST /v1/receipts');
    const found = Object.entries(planted).flatMap(([name, value]) => {
      expect(value.length).toBeGreaterThan(15);
      // A key of several lines: any of them.
      const parts = value.split('\n').filter((part) => part.length > 15 && !part.startsWith('-----'));
      return parts.flatMap((part) => [
        ...(log.includes(part) ? [`${name} in the log`] : []),
        ...(traces.includes(part) ? [`${name} in a trace`] : []),
        ...(rows.includes(part) ? [`${name} in the database`] : []),
        ...(exports.answers.includes(part) ? [`${name} in an answer`] : []),
      ]);
    });
    expect(found).toEqual([]);
  });
});
