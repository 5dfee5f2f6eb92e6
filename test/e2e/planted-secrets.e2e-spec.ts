import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.js';
import type { Answer } from '../support/api-client.js';
import { PASSWORD, signUp, sessionCookie } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { startReceiver, status } from '../support/webhook-receiver.js';

const SIGNING_KEY = randomBytes(32);
const ENCRYPTION_KEY = randomBytes(32);

/** A text that stands nowhere by chance. */
function secretText(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

function privateKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Every row of every table, as text. */
async function dump({ dataSource }: TestServer): Promise<string> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await dataSource.query<{ text: string }[]>(`SELECT t::text AS text FROM ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

describe('secrets', () => {
  it('stand neither in the log nor, readable, in the database, whatever happens with them', async () => {
    const lines: string[] = [];
    const server = await startTestServer({
      logTo: (line) => lines.push(line),
      env: {
        SERVICE_SIGNING_KEY: SIGNING_KEY.toString('base64'),
        SERVICE_ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
        SERVICE_ALLOW_SIGNUP: 'true',
      },
    });
    const planted: Record<string, string> = {
      'the password of an account': PASSWORD,
      'the signing key': SIGNING_KEY.toString('base64'),
      'the encryption key': ENCRYPTION_KEY.toString('base64'),
    };
    const done = (answer: Answer): Answer => {
      expect(answer.status).toBeLessThan(300);
      return answer;
    };

    const { email, cookie } = await signUp(server);
    planted['a session'] = cookie.split('=')[1] ?? '';
    const login = done(await server.http.post('/auth/login', { email, password: PASSWORD }));
    planted['another session'] = sessionCookie(login).split('=')[1] ?? '';
    planted['a wrong password'] = secretText(20);
    await server.http.post('/auth/login', { email, password: planted['a wrong password'] });

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
    await server.app.get(WebhookDispatcher).drain();
    endpoint.answerWith(status(200));
    const rotated = done(
      await store.backend.post(`${hookPath}/actions/rotate_secret`, {}, { 'idempotency-key': 'one' }),
    );
    planted['the new signing secret of a webhook'] = rotated.body.signing_secret as string;

    const credentials = {
      app_store: {
        bundle_id: 'com.example',
        shared_secret: secretText(32),
        subscription_private_key: privateKeyPem(),
      },
      amazon: { package_name: 'com.example', shared_secret: secretText(64) },
      roku: { roku_channel_id: '123456', roku_channel_name: 'Channel', roku_api_key: secretText(33) },
      paddle: { paddle_api_key: secretText(60) },
    };
    const account = { type: 'service_account', client_email: 'a@example.com', private_key: privateKeyPem() };
    planted['the private key of a service account'] = account.private_key;
    Object.assign(credentials, {
      mac_app_store: { bundle_id: 'com.example', shared_secret: secretText(32) },
      play_store: {
        package_name: 'com.example',
        play_service_account_credentials_json: JSON.stringify(account),
      },
    });
    for (const [type, object] of Object.entries(credentials)) {
      const answer = await store.backend.post(`${path}/apps`, { name: type, type, [type]: object });
      if (answer.status !== 201) throw new Error(`${type}: ${answer.text}`);
      for (const [name, value] of Object.entries(object)) {
        if (/secret|private_key|api_key/.test(name)) planted[`${name} of ${type}`] = value;
      }
    }

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

    const log = lines.join('\n');
    const rows = await dump(server);
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(20);
    // Both hold what they may hold.
    expect(rows).toContain(email);
    expect(log).toContain('/auth/login');
    const found = Object.entries(planted).flatMap(([name, value]) => {
      expect(value.length).toBeGreaterThan(15);
      // A key of several lines: any of them.
      const parts = value.split('\n').filter((part) => part.length > 15 && !part.startsWith('-----'));
      return parts.flatMap((part) => [
        ...(log.includes(part) ? [`${name} in the log`] : []),
        ...(rows.includes(part) ? [`${name} in the database`] : []),
      ]);
    });
    expect(found).toEqual([]);
    await endpoint.close();
    await server.close();
  });
});
