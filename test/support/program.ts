import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startedBy } from './server-process.js';

export const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
export const COMMAND_LINE = fileURLToPath(new URL('../../dist/src/cli/tenure.js', import.meta.url));

/** Runs a program as the first process of a container does: the kernel drops signals without a handler. */
const AS_PROCESS_1 = ['unshare', '--pid', '--fork', '--mount-proc'];

/** False where this user may not make namespaces. */
export const canBeProcess1 =
  process.platform === 'linux' &&
  spawnSync(AS_PROCESS_1[0] as string, [...AS_PROCESS_1.slice(1), 'true']).status === 0;

export interface Program {
  /** Of the program itself, in the namespace of the test. */
  pid: number;
  output(): string;
  /** Settles with its status, or with the name of the signal that ended it. */
  ended: Promise<number | string>;
  /** Ends it whatever it does. */
  kill(): Promise<void>;
}

/** Waits until a condition holds; the test's own limit is the only one. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await pause(20);
}

/** Starts a built program of the server. */
export async function startProgram(
  args: string[],
  env: NodeJS.ProcessEnv,
  { isProcess1 = false } = {},
): Promise<Program> {
  const [command = '', ...rest] = [...(isProcess1 ? AS_PROCESS_1 : []), process.execPath, ...args];
  const child: ChildProcess = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = (once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>).then(
    ([status, signal]) => status ?? signal ?? '',
  );
  let pid = child.pid as number;
  if (isProcess1) {
    let children: number[] = [];
    await until(() => {
      try {
        children = startedBy(child.pid as number);
      } catch {
        // It is not forked yet.
      }
      return children.length > 0;
    });
    [pid = 0] = children;
  }
  return {
    pid,
    output: () => output,
    ended,
    kill: async () => {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
      await ended;
    },
  };
}
