import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { announcedIn } from '../support/server-process.js';

interface Ended {
  status: number | null;
  output: string;
  errors: string;
}

function launch(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, SERVICE_DEMO: 'false', ...env },
  });
}

/** Runs a program to its end, as people do. */
async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = launch(args, env);
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, output, errors };
}

/** One sentence for people, and nothing of the code. */
function expectSentence({ status, output, errors }: Ended, sentence: RegExp | string): void {
  expect(errors).toEqual(typeof sentence === 'string' ? `${sentence}\n` : expect.stringMatching(sentence));
  expect(errors.trimEnd().split('\n')).toHaveLength(1);
  expect(`${output}${errors}`).not.toMatch(/^ {4}at |\\n {4}at |"level":"(error|fatal)"/m);
  expect(status).toBe(1);
}

describe('what keeps a server from starting is one sentence', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-start-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe('when a port is in use', () => {
    let database: TestDatabase;
    let holder: Server;
    let taken: number;

    beforeAll(async () => {
      database = await createTestDatabase();
      holder = createServer().listen(0, '0.0.0.0');
      await once(holder, 'listening');
      taken = (holder.address() as AddressInfo).port;
    });

    afterAll(async () => {
      holder.close();
      await database.drop();
    });

    const start = (env: NodeJS.ProcessEnv): Promise<Ended> =>
      run(['scripts/start.mjs'], {
        ...databaseSettings(database.url),
        SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
        ...env,
      });

    it.each<[string, NodeJS.ProcessEnv]>([
      ['a process', {}],
      ['several processes', { SERVICE_WORKERS: '2' }],
    ])('names it on %s', async (_, env) => {
      expectSentence(
        await start({ ...env, PORT: String(taken) }),
        `Port ${taken} is in use by another program. Stop that one, or set PORT to a free port.`,
      );
    });

    it('names it for the metrics port', async () => {
      expectSentence(
        await start({ PORT: '0', SERVICE_METRICS_PORT: String(taken) }),
        `Port ${taken} is in use by another program. Stop that one, or set SERVICE_METRICS_PORT to a free port.`,
      );
    });

    it('names an address of another machine', async () => {
      expectSentence(
        await start({ PORT: '0', HOST: '203.0.113.7' }),
        '203.0.113.7 is not an address of this machine. Set HOST to one, or to 0.0.0.0 for all of them.',
      );
    });
  });

  it('names the database when it is not there', async () => {
    const ended = await run(['scripts/start.mjs'], {
      DATABASE_URL: 'postgres://nobody:qFh3vXw8Lr@127.0.0.1:9/tenure',
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    expectSentence(ended, /^The database cannot be reached: .*ECONNREFUSED.* Check DATABASE_URL\.$/m);
    expect(ended.errors).not.toContain('qFh3vXw8Lr');
  });

  it('names the folder in use, beside whose server commands work', async () => {
    const env = { SERVICE_DATA_DIR: join(folder, 'data'), PORT: '0', SERVICE_LOG_LEVEL: 'warn' };
    const first = launch(['scripts/start.mjs'], env);
    let output = '';
    first.stdout?.setEncoding('utf8').on('data', (more: string) => (output += more));
    const ended = once(first, 'close');
    while (announcedIn(output) === null) await Promise.race([once(first.stdout as never, 'data'), ended]);
    try {
      expectSentence(
        await run(['scripts/start.mjs'], env),
        new RegExp(
          `^The folder ${join(folder, 'data')}/postgres is in use by another Tenure process \\(${first.pid}\\)\\. ` +
            'Stop it, or set SERVICE_DATA_DIR to another folder\\.\\n$',
        ),
      );
      const owner = ['scripts/tenure.mjs', 'create-owner', '--email', 'ada@example.com'];
      expect(await run(owner, env)).toMatchObject({ status: 0, errors: '' });
      const reset = await run(['scripts/tenure.mjs', 'user', 'reset-password', 'ada@example.com'], env);
      expect(reset).toMatchObject({ status: 0, errors: '' });
      const password = /^Password: (\S+)$/m.exec(reset.output)?.[1];
      const signedIn = await fetch(`${announcedIn(output)}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', password }),
      });
      expect(signedIn.status).toBe(200);
    } finally {
      first.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
  });

  it('names the packages that are not installed', async () => {
    const bare = join(folder, 'checkout');
    for (const name of ['scripts', 'package.json']) cpSync(name, join(bare, name), { recursive: true });
    for (const script of ['start.mjs', 'tenure.mjs', 'build.mjs']) {
      expectSentence(
        await run([join(bare, 'scripts', script)]),
        /^The packages are not installed \(.+ and \d+ more missing\)\. Run "npm ci" first\.\n$/,
      );
    }
    expect(existsSync(join(bare, 'dist'))).toBe(false);
  });

  it.each(['v18.20.8', 'v20.18.3'])('names Node.js when it is %s', async (version) => {
    const pretended = join(folder, 'version.cjs');
    await writeFile(
      pretended,
      `Object.defineProperty(process, 'version', { value: ${JSON.stringify(version)} });`,
    );
    expectSentence(
      await run(['--require', pretended, 'scripts/start.mjs']),
      `Tenure needs Node.js 20.19 or later, and this is ${version.slice(1)}. Install a newer one (https://nodejs.org).`,
    );
  });

  it('names the server that webhooks:listen is to follow and that does not answer', async () => {
    const server = `http://127.0.0.1:${await freePort()}`;
    expectSentence(
      await run(['scripts/webhooks-listen.mjs', '--key', 'sk_x', '--server', server]),
      `No server answers at ${server} (ECONNREFUSED). Start it, or name its address with --server.`,
    );
  });
});
