import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.mjs';

/** A request that a dead process was carrying out is another's two minutes later. */
const PATIENCE_MS = 180_000;
const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const START_LIMIT_MS = 180_000;

async function isTaken(port) {
  return freePort(port).then(
    () => false,
    ({ code }) => code === 'EADDRINUSE',
  );
}

/** The processes of a server that has several. */
function workersOf(member) {
  if (member.environment.SERVICE_WORKERS === undefined) return [];
  // Empty while killed processes are being restarted.
  const { stdout } = spawnSync('pgrep', ['-P', String(member.process.pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** Server processes on one database, which can be stopped, killed and started again. */
export class Fleet {
  #environment;

  constructor(size, environment) {
    this.#environment = environment;
    this.members = Array.from({ length: size }, () => ({
      url: '',
      port: 0,
      process: null,
      ready: false,
      environment: {},
    }));
  }

  /** Moments (epoch ms) at which a process was killed. */
  kills = [];

  get first() {
    return this.members[0].url;
  }

  async start() {
    for (const member of this.members) await this.#settle(member);
    await Promise.all(this.members.map((member) => this.launch(member)));
  }

  /**
   * `kill -9` of a server, but of the last one that serves, or of one of its processes, which it starts again by
   * itself. Ends when the server is back.
   */
  async killOne() {
    const candidates = this.members.filter(({ ready }) => ready);
    if (candidates.length < 2) return;
    const member = pick(candidates);
    this.kills.push(Date.now());
    const workers = workersOf(member);
    if (workers.length > 0 && Math.random() < 0.5) {
      process.kill(pick(workers), 'SIGKILL');
      return;
    }
    member.ready = false;
    const gone = once(member.process, 'exit');
    member.process.kill('SIGKILL');
    await gone;
    await this.launch(member);
  }

  /** SIGTERM to one process; gives its exit code, and how long (ms) it took to end. */
  async terminate(member) {
    if (!member.process || member.process.exitCode !== null || member.process.signalCode !== null) {
      return { code: member.process?.exitCode ?? null, ms: 0 };
    }
    member.ready = false;
    const startedAt = performance.now();
    const gone = once(member.process, 'exit');
    member.process.kill('SIGTERM');
    const [code] = await gone;
    return { code, ms: performance.now() - startedAt };
  }

  async stop() {
    await Promise.all(this.members.map((member) => this.terminate(member)));
  }

  /**
   * A request to any process, repeated elsewhere until one answers below 500: what a careful client does.
   * `onAnswer` receives every answer on the way: status, headers, text.
   * @throws Error when no process answers for three minutes
   */
  async call(method, path, headers, body, onAnswer = () => undefined) {
    const until = Date.now() + PATIENCE_MS;
    let trouble = 'no process serves';
    while (Date.now() < until) {
      let waitS = 0.05;
      const member = pick(this.members.filter(({ ready }) => ready));
      if (member) {
        try {
          const response = await fetch(member.url + path, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: AbortSignal.timeout(10_000),
          });
          const text = await response.text();
          onAnswer(response.status, response.headers, text);
          // 423: the same request is still being carried out elsewhere.
          if (response.status < 500 && response.status !== 423)
            return { status: response.status, body: JSON.parse(text) };
          trouble = `${response.status} ${text}`;
          waitS = Number(response.headers.get('retry-after') ?? waitS);
        } catch (error) {
          trouble = String(error.cause ?? error);
        }
      }
      await pause(waitS * 1000 * (1 + Math.random()));
    }
    throw new Error(`${method} ${path}: ${trouble}`);
  }

  async #settle(member) {
    member.port = await freePort();
    member.url = `http://127.0.0.1:${member.port}`;
  }

  async launch(member) {
    member.process = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...this.#environment, ...member.environment, PORT: String(member.port) },
    });
    const until = Date.now() + START_LIMIT_MS;
    while (Date.now() < until && member.process.exitCode === null) {
      if (await isReady(member)) {
        member.ready = true;
        return;
      }
      await pause(50);
    }
    // While it was starting, or being started again, another program may have taken its port.
    if (member.process.exitCode !== null && (await isTaken(member.port))) {
      await this.#settle(member);
      return this.launch(member);
    }
    throw new Error(`the server on port ${member.port} did not become ready`);
  }
}

/** Whether a process says that it wants requests; not when it says nothing within `withinMs`. */
export async function isReady({ url }, withinMs = 2_000) {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(withinMs) }).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok === true;
}
