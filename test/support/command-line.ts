import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/command-line.js';

export interface CommandResult {
  status: number;
  output: string;
  errors: string;
}

/** Runs `tenure` as an operator does, in its own process: for what a process has, such as signals, pipes and exit codes. */
export async function runCommandProcess(
  args: string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['scripts/tenure.mjs', ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  child.stdin.end(input);
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { status, output, errors };
}

/** Collects what the stream receives, until `restore`. */
function capture(stream: NodeJS.WriteStream): { chunks: string[]; restore: () => void } {
  const chunks: string[] = [];
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array) => {
    chunks.push(String(chunk));
    return true;
  };
  return { chunks, restore: () => void (stream.write = write) };
}

/** Runs `tenure` in the process of the test, one command at a time: a second or two faster than a process. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<CommandResult> {
  const { env: environment } = process;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const [output, errors] = [capture(process.stdout), capture(process.stderr)];
  process.env = { PATH: environment.PATH, ...env };
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from([input]) });
  let status: number;
  try {
    status = await runCommandLine(args);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    process.env = environment;
    errors.restore();
    output.restore();
  }
  return { status, output: output.chunks.join(''), errors: errors.chunks.join('') };
}
