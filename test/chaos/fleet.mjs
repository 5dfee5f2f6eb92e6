import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const FIRST_PORT = 18_801;
const START_LIMIT_MS = 30_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Server processes on one database, which can be killed and started again. */
export class Fleet {
  #environment;
  #members;

  constructor(size, environment) {
    this.#environment = environment;
    this.#members = Array.from({ length: size }, (_, index) => ({
      url: `http://127.0.0.1:${FIRST_PORT + index}`,
      port: FIRST_PORT + index,
      process: null,
      ready: false,
    }));
  }

  /** Moments (epoch ms) at which a process was killed. */
  kills = [];

  get first() {
    return this.#members[0].url;
  }

  async start() {
    await Promise.all(this.#members.map((member) => this.#launch(member)));
  }

  /** `kill -9` of a process that serves, but of the last one; ends when it is back. */
  async killOne() {
    const candidates = this.#members.filter(({ ready }) => ready);
    if (candidates.length < 2) return;
    const member = candidates[Math.floor(Math.random() * candidates.length)];
    member.ready = false;
    const gone = once(member.process, 'exit');
    this.kills.push(Date.now());
    member.process.kill('SIGKILL');
    await gone;
    await this.#launch(member);
  }

  async stop() {
    await Promise.all(
      this.#members.map(async ({ process }) => {
        if (!process || process.exitCode !== null || process.signalCode !== null) return;
        const gone = once(process, 'exit');
        process.kill('SIGTERM');
        await gone;
      }),
    );
  }

  /**
   * A request to any process, repeated elsewhere until one answers below 500: what a careful client does.
   * @throws Error when nobody answers for half a minute
   */
  async call(method, path, headers, body) {
    const until = Date.now() + 30_000;
    let trouble = 'no process serves';
    while (Date.now() < until) {
      const serving = this.#members.filter(({ ready }) => ready);
      const member = serving[Math.floor(Math.random() * serving.length)];
      if (member) {
        try {
          const response = await fetch(member.url + path, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: AbortSignal.timeout(10_000),
          });
          const text = await response.text();
          if (response.status < 500) return { status: response.status, body: JSON.parse(text) };
          trouble = `${response.status} ${text}`;
        } catch (error) {
          trouble = String(error.cause ?? error);
        }
      }
      await pause(50);
    }
    throw new Error(`${method} ${path}: ${trouble}`);
  }

  async #launch(member) {
    member.process = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...this.#environment, PORT: String(member.port) },
    });
    const until = Date.now() + START_LIMIT_MS;
    while (Date.now() < until) {
      const answer = await fetch(`${member.url}/readyz`).catch(() => null);
      if (answer?.ok) {
        member.ready = true;
        return;
      }
      await pause(50);
    }
    throw new Error(`the server on port ${member.port} did not become ready`);
  }
}
