import { DatabaseService } from '../../src/platform/database/database.service.js';
import { appUserIdHash } from '../../src/platform/observability/app-user-id-hash.js';
import type { Answer } from '../support/api-client.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

interface Line {
  level: string;
  msg: string;
  request_id?: string;
  status?: number;
  left_out?: number;
  cause?: string;
  repeated?: number;
}

describe('lines of requests', () => {
  let server: TestServer;
  let store: TestStore;
  let lines: Line[];

  beforeAll(async () => {
    lines = [];
    server = await startTestServer({ logTo: (line) => lines.push(JSON.parse(line) as Line) });
    store = await createTestStore(server);
  });

  beforeEach(() => {
    lines.length = 0;
  });

  afterAll(() => server.close());

  const idOf = ({ headers }: Answer): string => headers['x-request-id'] as string;

  /** The lines of an answer; they are written when it has left. */
  async function linesOf(answer: Answer): Promise<Line[]> {
    const own = (): Line[] => lines.filter(({ request_id }) => request_id === idOf(answer));
    while (!own().some(({ msg }) => msg === 'request')) await new Promise(setImmediate);
    return own();
  }

  it('reports for each refused receipt the reason, the customer and the place', async () => {
    const hash = appUserIdHash(server.config.encryptionKey as Buffer);
    const answer = await store.sdk.post('/v1/receipts', { ...testReceipt('ada'), product_id: 7 });
    expect(answer.status).toBe(400);
    expect(await linesOf(answer)).toMatchObject([
      {
        level: 'info',
        method: 'POST',
        route: '/v1/receipts',
        path: '/v1/receipts',
        status: 400,
        projectId: store.projectId,
        app_user_id: hash('ada'),
        error: 'invalid_request',
        code: 7226,
      },
    ]);
    const stranger = await server.http.withKey('wrong').post('/v1/receipts', testReceipt('ada'));
    expect(await linesOf(stranger)).toMatchObject([
      { status: 401, error: 'authentication_error', code: 7225 },
    ]);
  });

  it('writes one for every failed request, even where the error is written once for many', async () => {
    const database = server.app.get(DatabaseService);
    const query = database.query.bind(database);
    const full = Object.assign(new Error('could not extend file "base/5": No space left'), { code: '53100' });
    database.query = () => Promise.reject(full);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => store.sdk.get(`/v1/subscribers/someone-${number}`)),
    );
    database.query = query;
    const causes = new Set<string | undefined>();
    for (const answer of answers) {
      const [own] = (await linesOf(answer)).filter(({ msg }) => msg === 'request');
      expect([answer.status, own?.status]).toEqual([503, 503]);
      causes.add(own?.cause);
    }
    expect([...causes]).toEqual(['Error 53100 could not extend file "…": No space left']);
    expect(
      lines.filter(({ msg, repeated }) => msg === 'request failed' && repeated === undefined),
    ).toHaveLength(1);
  });

  it('writes them at level debug for quick successful SDK requests, and at info for those of backends', async () => {
    const [sdk] = await linesOf(await store.sdk.post('/v1/receipts', testReceipt('grace')));
    const [backend] = await linesOf(await store.backend.get(`${store.path}/customers/grace`));
    expect([sdk?.level, backend?.level]).toEqual(['debug', 'info']);
  });

  it('samples them above a rate, with a count of those left out', async () => {
    const send = (): Promise<Answer> => store.sdk.post('/v1/receipts', { app_user_id: 'ada' });
    const receipts = Array.from({ length: 400 }, send);
    expect(new Set((await Promise.all(receipts)).map(({ status }) => status))).toEqual(new Set([400]));
    const sum = (): number =>
      lines.filter(({ msg, status }) => msg === 'request' && status === 400).length +
      lines.reduce((total, { left_out }) => total + (left_out ?? 0), 0);
    while (sum() < 400) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(sum()).toBe(400);
  });
});
