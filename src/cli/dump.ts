import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandFailed } from './command-failed.js';
import { environmentWith } from './context.js';

/** Writes pg_dump's custom format from the exported `snapshot`. @throws CommandFailed if pg_dump is missing or fails */
export async function dump(url: string, snapshot: string, file: string): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  // Every user of the machine can read a process's arguments.
  address.password = '';
  const args = ['--format=custom', `--snapshot=${snapshot}`, `--file=${file}`, `--dbname=${address.href}`];
  const child = spawn('pg_dump', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environmentWith(password === '' ? {} : { PGPASSWORD: password }),
  });
  const [status] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(
      error.code === 'ENOENT'
        ? 'pg_dump is not on the PATH. It comes with PostgreSQL (Debian: apt-get install postgresql-client).'
        : `pg_dump did not start: ${error.message}`,
    );
  })) as [number | null];
  if (status !== 0) throw new CommandFailed('pg_dump failed.');
}
