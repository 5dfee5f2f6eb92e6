import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiClient } from './api-client.js';
import { auditedWritesOf } from './audited-writes.js';
import { openApiValidatorOf } from './openapi-validator.js';

/** A server as it runs in production: the built one, in a process of its own. */
export interface ServerProcess {
  pid: number;
  baseUrl: string;
  http: ApiClient;
  /** Everything it has written to standard output and standard error. */
  output(): string;
  /** Stops it by a signal; gives its exit code. */
  stop(): Promise<number | null>;
}

/** The processes that a server with several has started. @throws Error when there are none */
export function startedBy(pid: number): number[] {
  const lines = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return lines.trim().split('\n').map(Number);
}

/** The address that a process tells when it is ready; null before. */
export function announcedIn(output: string): string | null {
  const [, port] = /^Tenure is ready at http:\/\/localhost:(\d+)$/m.exec(output) ?? [];
  return port === undefined ? null : `http://127.0.0.1:${port}`;
}

export async function startServerProcess(
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['scripts/tenure.mjs', 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      ...env,
    },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close') as Promise<[number | null]>;
  let baseUrl: string | null;
  while ((baseUrl = announcedIn(output)) === null) {
    if (child.exitCode !== null) throw new Error(`The server ended:\n${output}`);
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenAPIObject;
  return {
    pid: child.pid as number,
    baseUrl,
    http: new ApiClient(baseUrl, openApiValidatorOf(document), auditedWritesOf(databaseUrl)),
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
