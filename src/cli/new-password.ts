import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isPassword, normalizePassword } from '../workspace/accounts/passwords/password-policy.js';
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

/** From standard input, or generated. @throws CommandFailed if it is not acceptable */
export async function newPassword(fromStdin = false): Promise<NewPassword> {
  const password = normalizePassword(fromStdin ? await read() : randomBytes(18).toString('base64url'));
  if (!isPassword(password))
    throw new CommandFailed('A password must be 8 to 256 characters, none of them NUL.');
  return { password, isMade: !fromStdin };
}
