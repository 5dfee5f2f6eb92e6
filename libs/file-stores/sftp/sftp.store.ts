import { randomBytes } from 'node:crypto';
import type { FileStoreEnvironment } from '../environment.js';
import { partialName, segmentsOf } from '../file-key.js';
import {
  alreadyExists,
  FileStoreError,
  isFileStoreError,
  tooLarge,
  uploadLost,
} from '../file-store-error.js';
import type { FileStore, PartTag, UploadHandle } from '../file-store.js';
import { partOffset } from '../parts.js';
import { type Retried, retriesIn } from '../retries.js';
import type { SftpSettings } from '../settings.js';
import type { StoreText } from '../store-text.js';
import { FAILURE, NO_SUCH_FILE, operationFailure, statusOf } from './sftp-failure.js';
import { SftpSession } from './sftp-session.js';

/** Flags of the protocol: write, and create if missing. Written again after a broken connection, parts keep the rest. */
const WRITE_OR_CREATE = 0x02 | 0x08;

interface OpenFile {
  session: SftpSession;
  file: Promise<Buffer>;
}

/** A folder of an SFTP server. Unfinished files are hidden by a dot and end with `.part`. */
export class SftpStore implements FileStore {
  private readonly retried: Retried;
  private readonly written = new Map<string, OpenFile>();
  private session: Promise<SftpSession> | null = null;
  private reconnecting: Promise<SftpSession> | null = null;

  constructor(
    private readonly settings: SftpSettings,
    private readonly environment: FileStoreEnvironment,
    private readonly text: StoreText,
  ) {
    if (!settings.host_key) throw new FileStoreError('internal', 'The host key of the server is missing.');
    this.retried = retriesIn(environment);
  }

  async open(key: string): Promise<UploadHandle> {
    const [, name] = segmentsOf(key);
    // The first part creates the file: a process that dies before it saved the handle leaves nothing.
    return Promise.resolve({ key, id: partialName(`${name}.${randomBytes(4).toString('hex')}`) });
  }

  async writePart(
    upload: UploadHandle,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<PartTag> {
    const writing = this.attempt(async (session) => {
      signal?.throwIfAborted();
      await this.writeAt(session, upload, bytes, partOffset(number));
    }, signal);
    await untilAborted(writing, signal);
    return { number, tag: '' };
  }

  async complete(upload: UploadHandle, _parts: readonly PartTag[], size: number): Promise<void> {
    const { key } = upload;
    const [path, partial] = [this.pathOf(key), this.partialPathOf(upload)];
    await this.attempt(async (session) => {
      await this.closeWritten(session, upload.id);
      const [stored, written] = [await session.sizeOf(path), await session.sizeOf(partial)];
      if (stored !== null && stored !== size) throw alreadyExists(key);
      if (stored !== null) return session.remove(partial);
      if (written !== size) throw uploadLost(key);
      await this.publish(session, partial, key);
    });
  }

  async abort(upload: UploadHandle): Promise<string | null> {
    try {
      await this.attempt(async (session) => {
        await this.closeWritten(session, upload.id);
        await session.remove(this.partialPathOf(upload));
      });
      return null;
    } catch (error) {
      const reason = isFileStoreError(error) ? error.message : 'The operation failed.';
      return `The unfinished file of ${upload.key} was not removed. ${reason}`;
    }
  }

  async put(key: string, bytes: Buffer): Promise<void> {
    // The same name each time: a process that was killed cannot leave a partial file that no process removes.
    const upload = { key, id: partialName(segmentsOf(key)[1]) };
    await this.attempt(async (session) => {
      if ((await session.sizeOf(this.pathOf(key))) !== null) {
        const stored = await session.read(this.pathOf(key), bytes.length + 1);
        if (stored.equals(bytes)) return;
        throw alreadyExists(key);
      }
      const partial = this.partialPathOf(upload);
      await session.remove(partial).catch(() => undefined);
      try {
        await this.writeAt(session, upload, bytes, 0);
        await this.closeWritten(session, upload.id);
        await this.publish(session, partial, key);
      } catch (error) {
        await session.remove(partial).catch(() => undefined);
        throw error;
      }
    });
  }

  async get(key: string, maxBytes: number): Promise<Buffer> {
    segmentsOf(key);
    const bytes = await this.attempt((session) => session.read(this.pathOf(key), maxBytes + 1));
    if (bytes.length > maxBytes) throw tooLarge(key, maxBytes);
    return bytes;
  }

  async delete(key: string): Promise<void> {
    segmentsOf(key);
    await this.attempt((session) => session.remove(this.pathOf(key)));
  }

  async close(): Promise<void> {
    const session = await this.session?.catch(() => null);
    this.session = null;
    session?.end();
  }

  /** Runs an operation; after a broken connection, it runs again on a new one. */
  private attempt<Result>(
    operation: (session: SftpSession) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.retried(async () => {
      const session = await this.connectedSession();
      try {
        return await operation(session);
      } catch (error) {
        signal?.throwIfAborted();
        throw operationFailure(error, this.text);
      }
    }, signal);
  }

  private async connectedSession(): Promise<SftpSession> {
    const current = await this.session?.catch(() => null);
    if (current && !current.isEnded) return current;
    // Several parts may find the connection broken at once.
    this.session = this.reconnecting ??= this.connect();
    return this.session;
  }

  private async connect(): Promise<SftpSession> {
    try {
      return await SftpSession.open(this.settings, this.environment, this.text);
    } finally {
      this.reconnecting = null;
    }
  }

  private async writeAt(
    session: SftpSession,
    upload: UploadHandle,
    bytes: Buffer,
    position: number,
  ): Promise<void> {
    try {
      await session.write(await this.writtenFile(session, upload), bytes, position);
    } catch (error) {
      // OpenSSH reports a full disk as a failure without a reason.
      const isFull =
        statusOf(error) === FAILURE &&
        ((await session.freeBytes(this.folderOf(upload.key))) ?? Infinity) < bytes.length;
      throw isFull ? new FileStoreError('no_space', 'The server has no space left.') : error;
    }
  }

  /** The file of an upload stays open from its first part until it is complete, on one connection. */
  private writtenFile(session: SftpSession, upload: UploadHandle): Promise<Buffer> {
    const current = this.written.get(upload.id);
    if (current?.session === session) return current.file;
    const file = this.createFile(session, upload);
    this.written.set(upload.id, { session, file });
    file.catch(() => this.written.delete(upload.id));
    return file;
  }

  private async createFile(session: SftpSession, upload: UploadHandle): Promise<Buffer> {
    const path = this.partialPathOf(upload);
    try {
      return await session.openFile(path, WRITE_OR_CREATE);
    } catch (error) {
      if (statusOf(error) !== NO_SUCH_FILE) throw error;
      const [folders] = segmentsOf(upload.key);
      for (const index of folders.keys()) {
        await session.createFolder(this.pathOf(folders.slice(0, index + 1).join('/')));
      }
      return session.openFile(path, WRITE_OR_CREATE);
    }
  }

  private async closeWritten(session: SftpSession, id: string): Promise<void> {
    const current = this.written.get(id);
    this.written.delete(id);
    if (current?.session !== session) return;
    const file = await current.file.catch(() => null);
    if (file) await session.closeFile(file);
  }

  private async publish(session: SftpSession, partial: string, key: string): Promise<void> {
    try {
      await session.rename(partial, this.pathOf(key));
    } catch (error) {
      const isTaken = statusOf(error) === FAILURE && (await session.sizeOf(this.pathOf(key))) !== null;
      throw isTaken ? alreadyExists(key) : error;
    }
  }

  private pathOf(key: string): string {
    const folder = (this.settings.folder ?? '').replace(/\/+$/, '');
    const isRoot = folder === '' && Boolean(this.settings.folder);
    return folder === '' && !isRoot ? key : `${folder}/${key}`;
  }

  private folderOf(key: string): string {
    return this.pathOf(segmentsOf(key)[0].join('/') || '.');
  }

  private partialPathOf({ key, id }: UploadHandle): string {
    const [folders] = segmentsOf(key);
    return this.pathOf([...folders, id].join('/'));
  }
}

/** Rejects with the reason of the signal as soon as it is aborted. */
async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  work.catch(() => undefined);
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
