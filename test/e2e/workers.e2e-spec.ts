import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { startFreezingProxy } from '../support/freezing-proxy.mjs';
import { announcedIn, startedBy } from '../support/server-process.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** Waits for a condition, limited only by the test's own timeout. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await pause(50);
}

/** Gives its address once one of the processes serves. */
async function announcedBy({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until(() => announcedIn(output) !== null);
  return announcedIn(output) ?? '';
}

describe('several processes that share a port', () => {
  let database: TestDatabase;
  let baseUrl: string;
  let primary: ChildProcess | null = null;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    if (!primary || primary.exitCode !== null) return;
    const gone = once(primary, 'exit');
    primary.kill('SIGTERM');
    await gone;
  });

  afterAll(() => database.drop());

  /** `node dist/src/main.js` with several processes on a port. */
  function launch(onPort: number, several: NodeJS.ProcessEnv = { SERVICE_WORKERS: '2' }): ChildProcess {
    primary = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...databaseSettings(database.url),
        SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
        SERVICE_DEMO: 'false',
        SERVICE_LOG_LEVEL: 'silent',
        ...several,
        PORT: String(onPort),
      },
    });
    return primary;
  }

  /** On a connection of its own, which any of the processes may get. */
  async function get(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${baseUrl}${path}`, { headers: { connection: 'close' } });
    return { status: response.status, text: await response.text() };
  }

  /** Metrics of all processes: their number, and their answered health checks. */
  async function figures(): Promise<{ processes: number; checks: number }> {
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    const sample = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return {
      processes: sample('tenure_processes'),
      checks: sample('tenure_http_requests_total\\{.*route="/v1/health",status="200"\\}'),
    };
  }

  /** Before, nothing listens, or not all of them do. */
  const untilAllServe = () =>
    until(() =>
      figures().then(
        ({ processes }) => processes === 2,
        () => false,
      ),
    );

  it('keeps counts when one of them dies, and answers while it starts again', async () => {
    const started = launch(0);
    baseUrl = await announcedBy(started);
    await untilAllServe();
    for (let n = 0; n < 20; n++) expect((await get('/v1/health')).status).toBe(200);
    expect(await figures()).toEqual({ processes: 2, checks: 20 });
    const [first, second] = startedBy(started.pid as number) as [number, number];
    process.kill(first, 'SIGKILL');
    const newOne = (): number | undefined =>
      startedBy(started.pid as number).find((pid) => pid !== first && pid !== second);
    await until(() => newOne() !== undefined);
    const third = newOne() as number;
    // It does not serve yet, for as long as this takes.
    process.kill(third, 'SIGSTOP');
    try {
      expect(await figures()).toEqual({ processes: 1, checks: 20 });
    } finally {
      process.kill(third, 'SIGCONT');
    }
    await untilAllServe();
    expect(await figures()).toEqual({ processes: 2, checks: 20 });
    expect((await get('/v1/health')).status).toBe(200);
    expect(await figures()).toEqual({ processes: 2, checks: 21 });
  });

  it('reports ready while all of them are, also in figures during an outage', async () => {
    const settings = { ...databaseSettings(database.url) };
    const url = new URL(settings.DATABASE_URL ?? '');
    const proxy = await startFreezingProxy(Number(url.port), url.hostname);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const several = { SERVICE_WORKERS: '2', SERVICE_DATABASE_TIMEOUT_MS: '1000' };
    baseUrl = await announcedBy(launch(0, { ...several, DATABASE_URL: url.toString() }));
    await untilAllServe();
    const health = async (): Promise<string[]> => {
      const { text } = await get('/metrics');
      const samples = /^(tenure_(?:processes|ready|database_reachable|unable\{what="writes"\}) \S+)$/gm;
      return [...text.matchAll(samples)].map(([, sample = '']) => sample).sort();
    };
    const figuresOf = (value: number) => [
      `tenure_database_reachable ${value}`,
      'tenure_processes 2',
      `tenure_ready ${value}`,
      'tenure_unable{what="writes"} 0',
    ];
    expect(await health()).toEqual(figuresOf(1));
    proxy.silence();
    expect(await health()).toEqual(figuresOf(0));
    proxy.speak();
    await until(async () => (await health()).includes('tenure_ready 1'));
    expect(await health()).toEqual(figuresOf(1));
    proxy.close();
    expect(await health()).toEqual(figuresOf(0));
  });

  it('prints one setup token, once, which all of them accept', async () => {
    const started = launch(0);
    let output = '';
    started.stdout?.on('data', (text: string) => (output += text));
    baseUrl = await announcedBy(started);
    await untilAllServe();
    const tokens = [...output.matchAll(/^Setup token: ([\w-]{43})$/gm)].map(([, token]) => token);
    expect(tokens).toHaveLength(1);
    expect(output).toContain(`/signup#setup=${tokens[0]}\n`);
    const attempt = async (setupToken: string | undefined): Promise<number> => {
      const response = await fetch(`${baseUrl}/auth/signup`, {
        method: 'POST',
        // On a connection of its own, which any of the processes may get.
        headers: { 'content-type': 'application/json', via: '1.1 proxy', connection: 'close' },
        body: JSON.stringify({ email: 'a@example.com', password: 'eight or more', setup_token: setupToken }),
      });
      return response.status;
    };
    expect(await attempt('x'.repeat(43))).toBe(403);
    expect(await attempt(undefined)).toBe(403);
    expect(await attempt(tokens[0])).toBe(201);
    expect(await attempt(tokens[0])).toBe(403);
  });

  it.each([
    ['none of them', { SERVICE_WORKERS: '2' }],
    ['only the one for the jobs', { SERVICE_JOBS_PROCESS: 'true' }],
  ])('ends when %s can start', async (_, several) => {
    const holder = createServer().listen(0, '0.0.0.0');
    await once(holder, 'listening');
    const started = launch((holder.address() as AddressInfo).port, several);
    const [code] = (await once(started, 'exit')) as [number];
    expect(code).toBe(1);
    holder.close();
  });
});
