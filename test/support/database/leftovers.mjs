import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder's name tells whose it is from the moment it is there. */
const NAME = /^tenure-test-(\d+)-/;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A new folder for the database of this run. */
export function makeRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), `tenure-test-${process.pid}-`));
  // As root the database runs as another user, who has to reach its data below this folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** Ends the servers and removes the folders of runs that were killed. */
export async function removeLeftovers(endAbandonedPostgres) {
  for (const name of readdirSync(tmpdir())) {
    const runner = NAME.exec(name)?.[1];
    if (!runner || isAlive(Number(runner))) continue;
    const folder = join(tmpdir(), name);
    try {
      await endAbandonedPostgres(join(folder, 'postgres'));
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      // Another user's, or another run is at it: no reason for this run to fail.
      process.stderr.write(`${folder} of a former run stays: ${error.message}\n`);
    }
  }
}
