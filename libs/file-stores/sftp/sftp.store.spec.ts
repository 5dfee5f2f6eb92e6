import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testEnvironment, type TestEnvironment } from '../../../test/support/file-stores/environment.js';
import { type SftpPeer, startSftpPeer } from '../../../test/support/file-stores/sftp-peer.js';
import { type SshdPeer, startSshd } from '../../../test/support/file-stores/sshd.js';
import { type FileStore, openFileStore, partBytes, readSftpHostKey, testFileStore } from '../index.js';
import type { SftpSettings } from '../settings.js';

let environment: TestEnvironment;
const stores: FileStore[] = [];
let keys = 0;
const nextKey = (): string => `acme/2026-11-27/transactions_${++keys}.csv.gz`;

function open(settings: SftpSettings): FileStore {
  const store = openFileStore({ kind: 'sftp', ...settings }, environment);
  stores.push(store);
  return store;
}

beforeEach(() => {
  environment = testEnvironment();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await environment.close();
});

describe('a folder of OpenSSH', () => {
  let peer: SshdPeer;

  beforeAll(async () => {
    peer = await startSshd();
  });
  afterAll(() => peer.close());

  const settings = (): SftpSettings => ({
    host: '127.0.0.1',
    port: peer.port,
    username: peer.username,
    folder: peer.folder,
    private_key: peer.privateKey,
    host_key: peer.hostKey,
  });

  it('passes the test', async () => {
    const result = await testFileStore(open(settings()), 'a b/ü', () => 0);
    expect(result.steps.map(({ name, ok, message }) => [name, ok, message])).toEqual([
      ['write', true, undefined],
      ['read', true, undefined],
      ['delete', true, undefined],
    ]);
  });

  it('stores a file of three parts under its name only when it is complete', async () => {
    const store = open(settings());
    const parts = [randomBytes(partBytes(1)), randomBytes(partBytes(2)), Buffer.from('end')];
    const whole = Buffer.concat(parts);
    const handle = await store.open(nextKey());
    const folder = join(peer.folder, 'acme/2026-11-27');
    expect(existsSync(folder)).toBe(false);
    const tags = await Promise.all(parts.map((bytes, index) => store.writePart(handle, index + 1, bytes)));
    expect(readdirSync(folder)).toEqual([handle.id]);
    expect(handle.id).toMatch(/^\.transactions_\d+\.csv\.gz\.[0-9a-f]{8}\.part$/);

    const other = open(settings());
    await other.complete(structuredClone(handle), tags, whole.length);
    await other.complete(handle, tags, whole.length);

    expect(readFileSync(join(peer.folder, handle.key)).equals(whole)).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('never overwrites a file', async () => {
    const store = open(settings());
    const key = nextKey();
    await store.put(key, Buffer.from('first'));
    await store.put(key, Buffer.from('first'));
    await expect(store.put(key, Buffer.from('second'))).rejects.toMatchObject({ code: 'already_exists' });
    const handle = await store.open(key);
    const tag = await store.writePart(handle, 1, Buffer.from('others'));
    await expect(store.complete(handle, [tag], 6)).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store.abort(handle)).toBeNull();
    expect(await store.get(key, 5)).toEqual(Buffer.from('first'));
  });

  it('reports lost uploads, missing files and missing folders', async () => {
    const store = open(settings());
    const handle = await store.open(nextKey());
    await expect(store.complete(handle, [], 3)).rejects.toMatchObject({ code: 'upload_lost' });
    expect(await store.abort(handle)).toBeNull();
    await store.delete(handle.key);
    await expect(store.get(handle.key, 1)).rejects.toMatchObject({ code: 'not_found' });
    const elsewhere = open({ ...settings(), folder: `${peer.folder}/missing` });
    await expect(elsewhere.put('a/b', Buffer.from('1'))).rejects.toMatchObject({ code: 'not_found' });
    const forbidden = open({ ...settings(), folder: '/' });
    await expect(forbidden.put('forbidden/b', Buffer.from('1'))).rejects.toMatchObject({
      code: 'access_denied',
    });
  });

  it('continues a part on a new connection', async () => {
    const store = open(settings());
    const handle = await store.open(nextKey());
    const bytes = [randomBytes(partBytes(1)), randomBytes(partBytes(2))] as const;
    const first = await store.writePart(handle, 1, bytes[0]);
    await peer.restart();
    const second = await store.writePart(handle, 2, bytes[1]);
    await store.complete(handle, [first, second], bytes[0].length + bytes[1].length);
    expect(readFileSync(join(peer.folder, handle.key)).equals(Buffer.concat(bytes))).toBe(true);
  });

  it('refuses a wrong key, and a key that cannot be read', async () => {
    const other = await startSshd();
    await other.close();
    await expect(open({ ...settings(), private_key: other.privateKey }).get('a', 1)).rejects.toMatchObject({
      code: 'access_denied',
    });
    const failure = open({ ...settings(), private_key: 'no key' }).get('a', 1);
    await expect(failure).rejects.toMatchObject({
      code: 'access_denied',
      message: 'The private key cannot be read, or its passphrase is wrong.',
    });
  });

  it('reports a host that does not answer', async () => {
    environment.retryDelaysMs = [];
    await expect(open({ ...settings(), port: 1 }).get('a', 1)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('refuses a changed host key', async () => {
    const before = settings();
    await peer.changeHostKey();
    const failure = open(before).get('a', 1);
    await expect(failure).rejects.toMatchObject({ code: 'host_key_changed', seenHostKey: peer.hostKey });
    await expect(failure).rejects.toThrow(peer.hostKey);
    expect(environment.slept).toEqual([]);
  });
});

describe('a server without extensions', () => {
  let peer: SftpPeer;

  beforeAll(async () => {
    peer = await startSftpPeer();
  });
  beforeEach(() => {
    peer.fault = () => undefined;
    peer.signIns.length = 0;
    peer.files.clear();
  });
  afterAll(() => peer.close());

  const settings = (): SftpSettings => ({
    host: '127.0.0.1',
    port: peer.port,
    username: peer.username,
    folder: 'files',
    password: peer.password,
    host_key: peer.hostKey,
  });

  it('passes the test with a password', async () => {
    const { ok } = await testFileStore(open(settings()), '', () => 0);
    expect(ok).toBe(true);
    expect(peer.signIns).toEqual(['password']);
  });

  it('reads the host key without signing in', async () => {
    expect(await readSftpHostKey({ ...settings(), host_key: null }, environment)).toBe(peer.hostKey);
    expect(peer.signIns).toEqual([]);
    expect(() => open({ ...settings(), host_key: null })).toThrow('host key of the server is missing');
  });

  it('sends no password to a server with another key', async () => {
    await expect(open({ ...settings(), host_key: 'SHA256:other' }).get('a', 1)).rejects.toMatchObject({
      code: 'host_key_changed',
      seenHostKey: peer.hostKey,
    });
    expect(peer.signIns).toEqual([]);
  });

  it('refuses a wrong password', async () => {
    const failure = open({ ...settings(), password: 'wrong horse' }).get('a', 1);
    await expect(failure).rejects.toMatchObject({ code: 'access_denied' });
    await expect(failure).rejects.not.toThrow('wrong horse');
    expect(peer.signIns).toEqual(['password']);
  });

  it('repeats a part after a broken connection', async () => {
    let breaks = 1;
    let writes = 0;
    peer.fault = (operation) =>
      operation === 'WRITE' && ++writes % 20 === 0 && breaks-- > 0 ? 'break' : undefined;
    const store = open(settings());
    const handle = await store.open(nextKey());
    const bytes = randomBytes(2_000_000);
    await store.complete(handle, [await store.writePart(handle, 1, bytes)], bytes.length);
    expect(environment.slept).toEqual([1000]);
    expect(peer.files.get(`files/${handle.key}`)?.equals(bytes)).toBe(true);
  });

  it('gives up if every connection breaks', async () => {
    peer.fault = (operation) => (operation === 'WRITE' ? 'break' : undefined);
    const store = open(settings());
    const handle = await store.open(nextKey());
    await expect(store.writePart(handle, 1, Buffer.from('1'))).rejects.toMatchObject({ code: 'unreachable' });
    expect(environment.slept).toHaveLength(6);
  });

  it('ends a part when its signal is aborted', async () => {
    const stop = new AbortController();
    peer.fault = (operation) => {
      if (operation === 'WRITE') stop.abort(new Error('the lease has ended'));
      return undefined;
    };
    const store = open(settings());
    const handle = await store.open(nextKey());
    const writing = store.writePart(handle, 1, randomBytes(1_000_000), stop.signal);
    await expect(writing).rejects.toThrow('the lease has ended');
  });

  it('reports a full disk', async () => {
    const full = { status: 4, message: 'No space left on device' };
    peer.fault = (operation) => (operation === 'WRITE' ? full : undefined);
    const store = open(settings());
    const handle = await store.open(nextKey());
    await expect(store.writePart(handle, 1, Buffer.from('1'))).rejects.toMatchObject({ code: 'no_space' });
    await expect(store.put(nextKey(), Buffer.from('1'))).rejects.toMatchObject({ code: 'no_space' });
    peer.fault = () => undefined;
    expect(await store.abort(handle)).toBeNull();
    expect([...peer.files.keys()].filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  it('replaces the partial file of a process that died while it stored a small file', async () => {
    const store = open(settings());
    const key = nextKey();
    let isDying = false;
    peer.fault = (operation) => {
      isDying ||= operation === 'RENAME';
      return isDying && ['RENAME', 'REMOVE'].includes(operation) ? 'break' : undefined;
    };
    await expect(store.put(key, Buffer.from('interrupted'))).rejects.toMatchObject({ code: 'unreachable' });
    const partial = (): string[] => [...peer.files.keys()].filter((path) => path.endsWith('.part'));
    expect(partial()).toHaveLength(1);
    peer.fault = () => undefined;
    await open(settings()).put(key, Buffer.from('whole'));
    expect([peer.files.get(`files/${key}`)?.toString(), partial()]).toEqual(['whole', []]);
  });

  it('reports a rename that fails, and keeps the upload', async () => {
    peer.fault = (operation) => (operation === 'RENAME' ? { status: 4 } : undefined);
    const store = open(settings());
    const handle = await store.open(nextKey());
    const tag = await store.writePart(handle, 1, Buffer.from('1'));
    await expect(store.complete(handle, [tag], 1)).rejects.toMatchObject({ code: 'store_error' });
    peer.fault = () => undefined;
    await store.complete(handle, [tag], 1);
    expect(await store.get(handle.key, 1)).toEqual(Buffer.from('1'));
  });

  it('returns a refused abort as a warning', async () => {
    const store = open(settings());
    const handle = await store.open(nextKey());
    peer.fault = (operation) => (operation === 'REMOVE' ? { status: 3 } : undefined);
    expect(await store.abort(handle)).toContain('was not removed. The server refused the permission (3)');
  });
});
