import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const START_TIMEOUT_MS = 60_000;

/** Starts a program and returns it with the first line that it prints to which the pattern applies. */
export async function startProgram(
  command: string,
  args: readonly string[],
  pattern: RegExp,
  env: NodeJS.ProcessEnv = process.env,
  { uid, gid }: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; match: RegExpExecArray }> {
  const child = spawn(command, args, { env, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${command} is not ready: ${printed.join('\n')}`));
    }, START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${printed.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        printed.push(line);
        const found = pattern.exec(line);
        if (!found) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
  });
  return { child, match };
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
