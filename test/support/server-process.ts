import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiClient } from './api-client.js';
import { auditedWritesOf } from './audited-writes.js';
import { OpenApiValidator } from './openapi-validator.js';

/** A server as it runs in production: the built one, in a process of its own. */
export interface ServerProcess {
  baseUrl: string;
  http: ApiClient;
  /** Everything it has written to standard output and standard error. */
  output(): string;
  /** Stops it by a signal; gives its exit code. */
  stop(): Promise<number | null>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function startServerProcess(
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ['scripts/tenure.mjs', 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ...env,
    },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close') as Promise<[number | null]>;
  const baseUrl = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended:\n${output}`);
    if (output.includes('Tenure is ready')) break;
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenAPIObject;
  return {
    baseUrl,
    http: new ApiClient(baseUrl, new OpenApiValidator(document), auditedWritesOf(databaseUrl)),
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
