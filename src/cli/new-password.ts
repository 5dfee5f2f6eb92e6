import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { newPasswordProblem } from '../workspace/accounts/passwords/new-password.policy.js';
import { normalizePassword } from '../workspace/accounts/passwords/password.policy.js';
import { CommandFailed } from './command-failed.js';

export interface NewPassword {
  password: string;
  isMade: boolean;
}

/** Prompts at a terminal without echo. */
async function typed(): Promise<string> {
  process.stderr.write('New password: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function read(): Promise<string> {
  return process.stdin.isTTY ? typed() : (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Reads the password from standard input, or generates one. @throws CommandFailed if it is not acceptable */
export async function newPassword(fromStdin = false): Promise<NewPassword> {
  const password = normalizePassword(fromStdin ? await read() : randomBytes(18).toString('base64url'));
  const problem = newPasswordProblem(password);
  if (problem !== null) throw new CommandFailed(`The password ${problem}.`);
  return { password, isMade: !fromStdin };
}
