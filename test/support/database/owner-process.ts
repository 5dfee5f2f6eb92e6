import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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

const errorsOf = new WeakMap<ChildProcess, string[]>();

/** Runs a script in a process of its own, next to the compiled modules; it answers with `process.send`. */
export function runBesides(folder: string, script: string, args: string[]): ChildProcess {
  // Each process has its own file: one that is written again is empty for a moment, and that is a script, too.
  const file = join(folder, `script-${randomUUID()}.mjs`);
  writeFileSync(file, script);
  const child = fork(file, args, { execArgv: [], stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  errorsOf.set(child, errors);
  return child;
}

/** The next message of a process. @throws Error with its exit code and stderr if it ends before */
export function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('close', onClose);
      resolve(message);
    };
    // After `exit`, once all of stderr was read.
    const onClose = (code: number | null, signal: string | null): void => {
      child.off('message', onMessage);
      const errors = errorsOf.get(child)?.join('') ?? '';
      reject(new Error(`The process ended early (${signal ?? `exit code ${code}`}). ${errors}`));
    };
    child.once('message', onMessage);
    child.once('close', onClose);
  });
}

/** Kills a process as the system does when memory runs out: it can do nothing about it. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
