import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { partialName, segmentsOf } from '../file-key.js';
import { alreadyExists, isFileStoreError, tooLarge, uploadLost } from '../file-store-error.js';
import type { FileStore, PartTag, UploadHandle } from '../file-store.js';
import { partOffset } from '../parts.js';
import { hasCode, localFailure } from './local-failure.js';
import { type LocalFolder, withFolder } from './local-folder.js';

const FILE_MODE = 0o640;
/** Errors of file systems without hard links, such as network shares. */
const LINKS_UNSUPPORTED = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** A folder of this machine, one for each project. Unfinished files are hidden by a dot and end with `.part`. */
export class LocalStore implements FileStore {
  private readonly written = new Map<string, Promise<FileHandle>>();

  constructor(
    private readonly directory: string,
    private readonly projectId: string,
  ) {
    segmentsOf(projectId);
  }

  open(key: string): Promise<UploadHandle> {
    // The first part creates the file: a process that dies before it saved the handle leaves nothing.
    return this.attempt(key, () => Promise.resolve({ key, id: partialName(segmentsOf(key)[1]) }));
  }

  async writePart(
    { key }: UploadHandle,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<PartTag> {
    signal?.throwIfAborted();
    return this.attempt(key, async () => {
      const file = await this.writtenFile(key);
      await writeAll(file, bytes, partOffset(number));
      return { number, tag: '' };
    });
  }

  async complete({ key }: UploadHandle, _parts: readonly PartTag[], size: number): Promise<void> {
    try {
      await this.attempt(key, async () => {
        await this.closeWritten(key);
        await this.inFolder(key, { create: false }, (folder, name) => finish(folder, name, key, size));
      });
    } catch (error) {
      throw isFileStoreError(error, 'not_found') ? uploadLost(key) : error;
    }
  }

  async abort({ key }: UploadHandle): Promise<string | null> {
    try {
      await this.attempt(key, async () => {
        await this.closeWritten(key);
        await this.inFolder(key, { create: false }, (folder, name) => removed(folder, partialName(name)));
      });
      return null;
    } catch (error) {
      if (isFileStoreError(error, 'not_found')) return null;
      return `The unfinished file of ${key} was not removed. ${localFailure(error, key).message}`;
    }
  }

  put(key: string, bytes: Buffer): Promise<void> {
    return this.attempt(key, () =>
      this.inFolder(key, { create: true }, async (folder, name) => {
        const partial = partialName(name);
        // A process that died may have left it.
        await removed(folder, partial);
        const file = await open(folder.pathOf(partial), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE);
        try {
          await writeAll(file, bytes, 0);
          await file.sync();
        } finally {
          await file.close();
        }
        const isPublished = await publish(folder, name);
        await removed(folder, partial);
        await folder.sync();
        if (!isPublished && !(await read(folder, name, bytes.length + 1)).equals(bytes))
          throw alreadyExists(key);
      }),
    );
  }

  get(key: string, maxBytes: number): Promise<Buffer> {
    return this.attempt(key, () =>
      this.inFolder(key, { create: false }, async (folder, name) => {
        const bytes = await read(folder, name, maxBytes + 1);
        if (bytes.length > maxBytes) throw tooLarge(key, maxBytes);
        return bytes;
      }),
    );
  }

  async delete(key: string): Promise<void> {
    try {
      await this.attempt(key, () => this.inFolder(key, { create: false }, removed));
    } catch (error) {
      if (!isFileStoreError(error, 'not_found')) throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.written.keys()].map((key) => this.closeWritten(key)));
  }

  /** The file of an upload stays open from its first part until it is complete. */
  private writtenFile(key: string): Promise<FileHandle> {
    const opened =
      this.written.get(key) ??
      this.inFolder(key, { create: true }, (folder, name) =>
        open(folder.pathOf(partialName(name)), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE),
      );
    this.written.set(key, opened);
    return opened;
  }

  private async closeWritten(key: string): Promise<void> {
    const opened = this.written.get(key);
    this.written.delete(key);
    const file = await opened?.catch(() => undefined);
    await file?.close();
  }

  private inFolder<Result>(
    key: string,
    options: { create: boolean },
    work: (folder: LocalFolder, name: string) => Promise<Result>,
  ): Promise<Result> {
    const [folders, name] = segmentsOf(key);
    return withFolder(this.directory, [this.projectId, ...folders], options, (folder) => work(folder, name));
  }

  private async attempt<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (hasCode(error, 'EEXIST')) throw alreadyExists(key);
      throw localFailure(error, key);
    }
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

async function finish(folder: LocalFolder, name: string, key: string, size: number): Promise<void> {
  const partial = partialName(name);
  const isWritten = (await sizeOf(folder, partial)) === size;
  if (isWritten) await syncFile(folder, partial);
  const isPublished = isWritten && (await publish(folder, name));
  if (!isPublished) await assertStored(folder, name, key, size);
  if (isWritten) await removed(folder, partial);
  await folder.sync();
}

async function syncFile(folder: LocalFolder, name: string): Promise<void> {
  const file = await open(folder.pathOf(name), O_RDONLY | O_NOFOLLOW);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Null if there is no such file. */
async function sizeOf(folder: LocalFolder, name: string): Promise<number | null> {
  try {
    return (await lstat(folder.pathOf(name))).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Names the partial file. Returns false if the name is taken: unlike a rename, a link never replaces a file. */
async function publish(folder: LocalFolder, name: string): Promise<boolean> {
  const [from, to] = [folder.pathOf(partialName(name)), folder.pathOf(name)];
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!hasCode(error, ...LINKS_UNSUPPORTED)) throw error;
    if ((await sizeOf(folder, name)) !== null) return false;
    await rename(from, to);
    return true;
  }
}

async function assertStored(folder: LocalFolder, name: string, key: string, size: number): Promise<void> {
  const stored = await sizeOf(folder, name);
  if (stored === null) throw uploadLost(key);
  if (stored !== size) throw alreadyExists(key);
}

async function removed(folder: LocalFolder, name: string): Promise<void> {
  try {
    await unlink(folder.pathOf(name));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** At most `maxBytes` from the start of the file. */
async function read(folder: LocalFolder, name: string, maxBytes: number): Promise<Buffer> {
  const file = await open(folder.pathOf(name), O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
