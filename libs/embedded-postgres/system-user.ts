import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The system user that runs the database, in the format of `spawn`. */
export interface SystemUser {
  uid: number;
  gid: number;
}

function systemUser(name: string): SystemUser | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

/**
 * The user for the database on this folder; null: the user of this process. PostgreSQL refuses to run as root, so for
 * root, existing data keep their owner, and new data belong to the system's `postgres`, or else `nobody`.
 * @throws Error if root's system has neither user
 */
export function databaseUser(dataDir: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  const user = systemUser('postgres') ?? systemUser('nobody');
  if (!user) throw new Error('As root, the embedded PostgreSQL needs a system user `postgres` or `nobody`.');
  return user;
}

export const READ_AND_SEARCH = 0o5;
const SEARCH = 0o1;

/** Whether the file's mode grants the user these permissions (bits of one class: 4 read, 2 write, 1 search). */
function permits(path: string, { uid, gid }: SystemUser, bits: number): boolean {
  const stat = statSync(path);
  const shift = stat.uid === uid ? 6 : stat.gid === gid ? 3 : 0;
  return ((stat.mode >> shift) & bits) === bits;
}

/** Whether the user can reach the folder from the root (symbolic links resolved) and has `bits` on it. */
export function canReach(path: string, user: SystemUser, bits = SEARCH): boolean {
  if (!permits(path, user, bits)) return false;
  return path === dirname(path) || canReach(dirname(path), user);
}
