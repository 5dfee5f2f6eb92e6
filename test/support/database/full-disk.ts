import { execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from './index.js';

/** Room for the tables of the template, and some more. */
const SIZE_MB = 96;

/** A database on a small file system of its own, which can be filled. */
export interface SmallDisk extends TestDatabase {
  fill(): Promise<void>;
  free(): Promise<void>;
}

async function mountIn(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0755`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
}

/** A migrated database on a file system of its own; null where this user may not mount one. */
export async function createOnSmallDisk(): Promise<SmallDisk | null> {
  const folder = await mountIn();
  if (folder === null) return null;
  const admin = new pg.Client({ connectionString: process.env.TEST_ADMIN_DATABASE_URL });
  await admin.connect();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
  const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
  await chown(folder, uid, gid);
  await admin.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template_tenure STRATEGY FILE_COPY TABLESPACE ${name}`);
  const url = new URL(process.env.TEST_ADMIN_DATABASE_URL ?? '');
  url.pathname = `/${name}`;
  const filler = join(folder, 'filler');
  return {
    url: url.toString(),
    async fill() {
      const full = (error: NodeJS.ErrnoException): void => {
        if (error.code !== 'ENOSPC') throw error;
      };
      // A part of it is kept when the rest finds no room.
      await writeFile(filler, Buffer.alloc(SIZE_MB * 1024 * 1024)).catch(full);
    },
    free: () => rm(filler, { force: true }),
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`DROP TABLESPACE ${name}`);
      await admin.end();
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}
