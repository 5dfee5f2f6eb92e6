import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';
import { fingerprintOf } from '../../../libs/file-stores/sftp/host-key.js';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export interface SftpPeer {
  port: number;
  username: string;
  password: string;
  hostKey: string;
  files: Map<string, Buffer>;
  folders: Set<string>;
  /** Ways in which a user tried to sign in. */
  signIns: string[];
  /** The failed answer to an operation, `break` to end the connection, or undefined for the usual. */
  fault: (
    operation: 'WRITE' | 'RENAME' | 'REMOVE',
  ) => { status: number; message?: string } | 'break' | undefined;
  close(): Promise<void>;
}

/** A server without extensions and with files in memory, for failures that OpenSSH does not show on demand. */
export async function startSftpPeer(): Promise<SftpPeer> {
  const keys = ssh2.utils.generateKeyPairSync('ed25519');
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [keys.private] });
  const peer: SftpPeer = {
    port: 0,
    username: 'acme',
    password: 'correct horse',
    hostKey: fingerprintOf(Buffer.from(keys.public.split(' ')[1] ?? '', 'base64')),
    files: new Map(),
    folders: new Set(['files']),
    signIns: [],
    fault: () => undefined,
    close: () => {
      for (const connection of connections) connection.end();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => connections.delete(connection));
    connection.on('authentication', (context) => {
      peer.signIns.push(context.method);
      const isRight =
        context.method === 'password' &&
        context.username === peer.username &&
        context.password === peer.password;
      if (isRight) context.accept();
      else context.reject(['password']);
    });
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => serve(peer, acceptSftp(), connection));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  peer.port = (server.address() as AddressInfo).port;
  return peer;
}

function serve(peer: SftpPeer, sftp: SFTPWrapper, connection: Connection): void {
  const opened = new Map<number, string>();
  let handles = 0;
  const pathOf = (handle: Buffer): string => opened.get(handle.readUInt32BE(0)) ?? '';
  const attributes = (size: number): Parameters<SFTPWrapper['attrs']>[1] => ({
    mode: 0o644,
    uid: 0,
    gid: 0,
    size,
    atime: 0,
    mtime: 0,
  });
  const isFaulty = (id: number, operation: 'WRITE' | 'RENAME' | 'REMOVE'): boolean => {
    const fault = peer.fault(operation);
    if (fault === 'break') connection.end();
    else if (fault !== undefined) sftp.status(id, fault.status, fault.message ?? 'Failure');
    return fault !== undefined;
  };

  sftp.on('OPEN', (id, path, flags) => {
    const isThere = peer.files.has(path);
    const mayCreate = (flags & OPEN_MODE.CREAT) !== 0 && peer.folders.has(posix.dirname(path));
    if (!isThere && !mayCreate) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    if (!isThere) peer.files.set(path, Buffer.alloc(0));
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(++handles, 0);
    opened.set(handles, path);
    sftp.handle(id, handle);
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    const path = pathOf(handle);
    if (isFaulty(id, 'WRITE')) return;
    const before = peer.files.get(path) ?? Buffer.alloc(0);
    const after = Buffer.alloc(Math.max(before.length, offset + data.length));
    before.copy(after);
    data.copy(after, offset);
    peer.files.set(path, after);
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const data = (peer.files.get(pathOf(handle)) ?? Buffer.alloc(0)).subarray(offset, offset + length);
    if (data.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, data);
  });
  sftp.on('FSTAT', (id, handle) => sftp.attrs(id, attributes(peer.files.get(pathOf(handle))?.length ?? 0)));
  sftp.on('LSTAT', (id, path) => {
    const file = peer.files.get(path);
    if (file || peer.folders.has(path)) sftp.attrs(id, attributes(file?.length ?? 0));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('MKDIR', (id, path) => {
    if (!peer.folders.has(posix.dirname(path))) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    peer.folders.add(path);
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('RENAME', (id, from, to) => {
    if (isFaulty(id, 'RENAME')) return;
    const file = peer.files.get(from);
    if (!file || peer.files.has(to)) return sftp.status(id, STATUS_CODE.FAILURE);
    peer.files.delete(from);
    peer.files.set(to, file);
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('REMOVE', (id, path) => {
    if (isFaulty(id, 'REMOVE')) return;
    sftp.status(id, peer.files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}
