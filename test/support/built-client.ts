import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { auditedWritesOf } from './audited-writes.js';
import { openApiValidatorOf } from './openapi-validator.js';
import type { TestServer } from './test-server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'packages/node');

/** Modules of packages/node. The types of the server's tests do not depend on its build, so they are loaded by path. */
export interface BuiltClient {
  tenure: any;
  webhooks: any;
  calls: any;
}

/** Builds the client if its sources changed, and loads it. */
export async function builtClient(): Promise<BuiltClient> {
  await promisify(execFile)(process.execPath, ['scripts/client.mjs'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const load = (file: string): Promise<any> => import(`../../packages/node/${file}`);
  // One after the other: Jest cannot link modules that share imports at the same time.
  const tenure = await load('dist/index.js');
  const webhooks = await load('dist/webhooks.js');
  const calls = await load('test/released-calls.js');
  return { tenure, webhooks, calls };
}

/** Runs the TypeScript of the README as programs of a project that has installed the package; returns their output. */
export async function runExamples(environment: Record<string, string>): Promise<string[]> {
  const project = mkdtempSync(join(tmpdir(), 'client-examples-'));
  const name: string = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const outputs: string[] = [];
  try {
    const installed = join(project, 'node_modules', name);
    mkdirSync(dirname(installed), { recursive: true });
    symlinkSync(folder, installed);
    for (const [, code = ''] of readme.matchAll(/^```ts\n([^]*?)^```/gm)) {
      const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
      const file = join(project, 'example.mjs');
      writeFileSync(file, ts.transpileModule(code, { compilerOptions }).outputText);
      const env = { ...process.env, NODE_OPTIONS: '', ...environment };
      outputs.push((await promisify(execFile)(process.execPath, [file], { env })).stdout);
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  return outputs;
}

/** A `fetch` that checks answers of a server against its document, and counts its writes for the audit. */
export function checkingFetch({ document, databaseUrl }: TestServer): typeof fetch {
  const validator = openApiValidatorOf(document);
  const writes = auditedWritesOf(databaseUrl);
  return async (input, init = {}) => {
    const url = new URL(input);
    const method = init.method ?? 'GET';
    const path = url.pathname + url.search;
    const response = await fetch(url, init);
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = isJson ? await response.clone().json() : undefined;
    const problems = validator.problems(method, path, response.status, body);
    if (problems.length > 0) throw new Error(`The answer is not as documented:\n${problems.join('\n')}`);
    writes.note(method, path, response.status, Object.fromEntries(response.headers));
    return response;
  };
}
