import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreError } from '../file-store-error.js';
import { hasCode } from './local-failure.js';

const FOLDER_MODE = 0o750;
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * A folder that is open. On Linux, paths below it start at the open folder itself, so replacing one of its parents by a
 * symbolic link has no effect.
 */
export class LocalFolder {
  private constructor(
    private readonly handle: FileHandle,
    private readonly path: string,
  ) {}

  static async open(path: string): Promise<LocalFolder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return new LocalFolder(handle, process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path);
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  async child(name: string, { create }: { create: boolean }): Promise<LocalFolder> {
    const path = this.pathOf(name);
    if (create && (await isNew(path))) await this.sync();
    return LocalFolder.open(path);
  }

  /** Makes the names in the folder survive a loss of power. */
  sync(): Promise<void> {
    return this.handle.sync();
  }

  realPath(): Promise<string> {
    return realpath(this.path);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function isNew(path: string): Promise<boolean> {
  try {
    await mkdir(path, FOLDER_MODE);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Opens a folder below `root`, runs the work, and closes the folder. No part of the path may be a symbolic link. */
export async function withFolder<Result>(
  root: string,
  folders: readonly string[],
  options: { create: boolean },
  work: (folder: LocalFolder) => Promise<Result>,
): Promise<Result> {
  const realRoot = await realpath(root).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new FileStoreError('not_found', "The server's folder for exports does not exist.");
  });
  let folder = await LocalFolder.open(realRoot);
  try {
    for (const name of folders) {
      const child = await folder.child(name, options);
      await folder.close();
      folder = child;
    }
    if ((await folder.realPath()) !== join(realRoot, ...folders)) {
      throw new FileStoreError('access_denied', 'The path of the folder contains a symbolic link.');
    }
    return await work(folder);
  } finally {
    await folder.close();
  }
}
