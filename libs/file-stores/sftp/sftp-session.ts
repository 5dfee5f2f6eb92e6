import type { Socket } from 'node:net';
import type { SFTPWrapper, Stats } from 'ssh2';
import type SftpClient from 'ssh2-sftp-client';
import type { FileStoreEnvironment } from '../environment.js';
import { FileStoreError } from '../file-store-error.js';
import type { SftpSettings } from '../settings.js';
import type { StoreText } from '../store-text.js';
import { fingerprintOf, isSameKey } from './host-key.js';
import { FAILURE, NO_SUCH_FILE, sessionFailure, statusOf, UNSUPPORTED } from './sftp-failure.js';

const DEFAULT_PORT = 22;
const READY_TIMEOUT_MS = 30_000;
/** Four unanswered messages, so a minute of silence, end a connection. */
const KEEPALIVE = { keepaliveInterval: 15_000, keepaliveCountMax: 4 };
const PIECE_BYTES = 32 * 1024;
const PIECES_AT_ONCE = 32;

type Callback<Result> = (error: Error | null | undefined, result: Result) => void;

/** Decides whether to trust the server by its fingerprint. */
type Trust = (fingerprint: string) => boolean;

interface Connected {
  client: SftpClient;
  socket: Socket;
  sftp: SFTPWrapper;
}

/** Signs in with the password or the key only: no agent, no keyboard dialog, and no SHA-1 signature of the server. */
async function connected(
  settings: SftpSettings,
  environment: FileStoreEnvironment,
  trusts: Trust,
  text: StoreText,
): Promise<Connected> {
  const { connections } = environment;
  let socket: Socket | undefined;
  let cause: unknown;
  try {
    const { default: Client } = await import('ssh2-sftp-client');
    socket = await connections.connectSocket(settings.host, settings.port ?? DEFAULT_PORT);
    const ignored = (): void => undefined;
    const client = new Client('exports', { error: ignored, end: ignored, close: ignored });
    // The client's own errors lack the level, which tells a refused password from a broken connection.
    client.on('error', (error: unknown) => (cause ??= error));
    const sftp = await client.connect({
      sock: socket,
      username: settings.username,
      ...(settings.private_key
        ? { privateKey: settings.private_key, passphrase: settings.passphrase ?? undefined }
        : { password: settings.password ?? undefined }),
      authHandler: [settings.private_key ? 'publickey' : 'password'],
      hostVerifier: (key: Buffer) => trusts(fingerprintOf(key)),
      algorithms: { serverHostKey: { append: [], prepend: [], remove: ['ssh-rsa'] } },
      readyTimeout: READY_TIMEOUT_MS,
      ...KEEPALIVE,
    });
    return { client, socket, sftp };
  } catch (error) {
    socket?.destroy();
    throw sessionFailure(cause ?? error, connections.refusalOf(error), text);
  }
}

/** Reads the fingerprint of the server's key. The connection ends before anything secret is sent. */
export async function readHostKey(
  settings: SftpSettings,
  environment: FileStoreEnvironment,
  text: StoreText,
): Promise<string> {
  let seen: string | null = null;
  try {
    const { socket } = await connected(settings, environment, (key) => ((seen = key), false), text);
    socket.destroy();
  } catch (error) {
    if (seen === null) throw error;
  }
  if (seen === null) throw new FileStoreError('store_error', 'The server showed no host key.');
  return seen;
}

/** A connection of a user to a server whose key is pinned. Errors of operations have the status of the server. */
export class SftpSession {
  isEnded = false;
  private readonly ended: Promise<never>;

  private constructor(private readonly connection: Connected) {
    this.ended = new Promise((_, reject) => {
      const end = (): void => {
        this.isEnded = true;
        reject(new Error('the connection has ended'));
      };
      for (const event of ['error', 'end', 'close']) connection.client.on(event, end);
      connection.socket.once('close', end);
    });
    this.ended.catch(() => undefined);
  }

  /** @throws FileStoreError */
  static async open(
    settings: SftpSettings,
    environment: FileStoreEnvironment,
    text: StoreText,
  ): Promise<SftpSession> {
    const pinned = settings.host_key ?? '';
    let seen = '';
    try {
      const trusts = (key: string): boolean => isSameKey(pinned, (seen = key));
      return new SftpSession(await connected(settings, environment, trusts, text));
    } catch (error) {
      if (seen === '' || isSameKey(pinned, seen)) throw error;
      throw new FileStoreError('host_key_changed', `The server has a new host key, ${seen}.`, {
        seenHostKey: seen,
      });
    }
  }

  openFile(path: string, flags: 'r' | number): Promise<Buffer> {
    return this.call((done) => this.connection.sftp.open(path, flags, done));
  }

  closeFile(file: Buffer): Promise<void> {
    return this.call((done) => this.connection.sftp.close(file, done));
  }

  /** In pieces, several at once, because each waits for its answer. */
  async write(file: Buffer, bytes: Buffer, position: number): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < bytes.length) {
        const at = next;
        next += PIECE_BYTES;
        const length = Math.min(PIECE_BYTES, bytes.length - at);
        await this.call<void>((done) =>
          this.connection.sftp.write(file, bytes, at, length, position + at, done),
        );
      }
    };
    await Promise.all(Array.from({ length: PIECES_AT_ONCE }, worker));
  }

  async read(path: string, maxBytes: number): Promise<Buffer> {
    const file = await this.openFile(path, 'r');
    try {
      const { size } = await this.call<Stats>((done) => this.connection.sftp.fstat(file, done));
      const bytes = Buffer.alloc(Math.min(size, maxBytes));
      let length = 0;
      while (length < bytes.length) {
        const count = await this.call<number>((done) =>
          this.connection.sftp.read(file, bytes, length, bytes.length - length, length, done),
        );
        if (count === 0) break;
        length += count;
      }
      return bytes.subarray(0, length);
    } finally {
      await this.closeFile(file).catch(() => undefined);
    }
  }

  /** Null if there is no such file. */
  async sizeOf(path: string): Promise<number | null> {
    try {
      return (await this.call<Stats>((done) => this.connection.sftp.lstat(path, done))).size;
    } catch (error) {
      if (statusOf(error) === NO_SUCH_FILE) return null;
      throw error;
    }
  }

  async createFolder(path: string): Promise<void> {
    if ((await this.sizeOf(path)) !== null) return;
    try {
      await this.call<void>((done) => this.connection.sftp.mkdir(path, done));
    } catch (error) {
      // Another run may have created it.
      if (statusOf(error) !== FAILURE || (await this.sizeOf(path)) === null) throw error;
    }
  }

  /**
   * A plain rename does not replace files on OpenSSH. Servers that cannot do it may know the rename of POSIX, which
   * replaces them, so the caller has checked that the name is free.
   */
  async rename(from: string, to: string): Promise<void> {
    try {
      await this.call<void>((done) => this.connection.sftp.rename(from, to, done));
    } catch (error) {
      const status = statusOf(error);
      if ((status !== FAILURE && status !== UNSUPPORTED) || (await this.sizeOf(to)) !== null) throw error;
      await this.posixRename(from, to, error);
    }
  }

  async remove(path: string): Promise<void> {
    try {
      await this.call<void>((done) => this.connection.sftp.unlink(path, done));
    } catch (error) {
      if (statusOf(error) !== NO_SUCH_FILE) throw error;
    }
  }

  /** Free bytes of the disk below a path; null if the server does not report them. */
  async freeBytes(path: string): Promise<number | null> {
    const { sftp } = this.connection;
    try {
      const disk = await this.call<{ f_frsize: number; f_bavail: number }>((done) =>
        sftp.ext_openssh_statvfs(path, done as never),
      );
      return Number(disk.f_frsize) * Number(disk.f_bavail);
    } catch {
      return null;
    }
  }

  end(): void {
    this.isEnded = true;
    this.connection.socket.destroy();
  }

  private posixRename(from: string, to: string, refused: unknown): Promise<void> {
    return this.call((done) => {
      try {
        this.connection.sftp.ext_openssh_rename(from, to, done);
      } catch {
        // The server does not offer it.
        done(refused as Error, undefined);
      }
    });
  }

  /** Also fails when the connection ends, because some operations are then never answered. */
  private call<Result>(operation: (done: Callback<Result>) => unknown): Promise<Result> {
    const answered = new Promise<Result>((resolve, reject) => {
      operation((error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
    answered.catch(() => undefined);
    return Promise.race([answered, this.ended]);
  }
}
