import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The system user that runs the database; null: the user of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

function systemUser(name: string): RunAs | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

/**
 * PostgreSQL refuses to run as root. Existing data keep their owner; else it is the system's `postgres`, or
 * `nobody`, which every system has.
 */
export function runAs(dataDir: string): RunAs | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  const user = systemUser('postgres') ?? systemUser('nobody');
  if (!user) throw new Error('As root, the embedded PostgreSQL needs a system user `postgres` or `nobody`.');
  return user;
}
