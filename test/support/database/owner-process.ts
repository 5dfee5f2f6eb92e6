import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'libs/embedded-postgres');

/** Compiles the embedded database's own modules to `folder`, for processes that run outside Jest. */
export function compileEmbedded(folder: string): void {
  mkdirSync(join(folder, 'embedded'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of readdirSync(sources).filter((file) => /(?<!\.spec)\.ts$/.test(file))) {
    const { code } = transformFileSync(join(sources, name), {
      configFile: join(root, '.swcrc'),
      sourceMaps: false,
    });
    writeFileSync(join(folder, 'embedded', name.replace(/\.ts$/, '.js')), code);
  }
}

/** Runs a script in a process of its own, next to the compiled modules; it answers with `process.send`. */
export function runBesides(folder: string, script: string, args: string[]): ChildProcess {
  const file = join(folder, 'script.mjs');
  writeFileSync(file, script);
  return fork(file, args, { execArgv: [] });
}

/** The next message of a process. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  // The listener that loses the race must not stay.
  const settled = new AbortController();
  const first = (event: string): Promise<unknown[]> => once(child, event, { signal: settled.signal });
  const events = [first('message'), first('exit')];
  const [message] = await Promise.race(events).finally(() => settled.abort());
  await Promise.allSettled(events);
  return message;
}

/** Kills a process as the system does when memory runs out: it can do nothing about it. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
