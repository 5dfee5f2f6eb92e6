import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { testEnvironment, type TestEnvironment } from '../../../test/support/file-stores/environment.js';
import { type FileStore, openFileStore, partBytes, type PartTag } from '../index.js';
import { localFailure } from './local-failure.js';

describe('a folder of this machine', () => {
  let environment: TestEnvironment;
  let outside: string;
  let root: string;
  let store: FileStore;

  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'local-store-')));
    root = join(outside, 'exports');
    await mkdir(root);
    environment = testEnvironment({ exportDirectory: root });
    store = openFileStore({ kind: 'local' }, environment);
  });
  afterEach(async () => {
    await store.close();
    await environment.close();
    await rm(outside, { recursive: true, force: true });
  });

  const key = 'acme/2026-11-27/transactions_1795748400.csv.gz';
  const folder = (): string => join(root, 'proj1/acme/2026-11-27');

  async function write(parts: readonly Buffer[], name = key): Promise<{ tags: PartTag[]; size: number }> {
    const handle = await store.open(name);
    const tags = await Promise.all(parts.map((bytes, index) => store.writePart(handle, index + 1, bytes)));
    return { tags, size: Buffer.concat(parts).length };
  }
  const handleOf = (name = key): Promise<{ key: string; id: string }> => store.open(name);

  it('stores a file of three parts, which is invisible until it is complete', async () => {
    const parts = [randomBytes(partBytes(1)), randomBytes(partBytes(2)), Buffer.from('end')];
    const { tags, size } = await write(parts);
    expect(readdirSync(folder())).toEqual(['.transactions_1795748400.csv.gz.part']);

    await store.complete(await handleOf(), tags, size);

    expect(readdirSync(folder())).toEqual(['transactions_1795748400.csv.gz']);
    expect(readFileSync(join(root, 'proj1', key)).equals(Buffer.concat(parts))).toBe(true);
    expect(statSync(join(root, 'proj1', key)).mode & 0o777).toBe(0o640);
    expect(statSync(folder()).mode & 0o777).toBe(0o750);
  });

  it('leaves nothing behind if no part was written', async () => {
    await store.open(key);
    expect(readdirSync(root)).toEqual([]);
  });

  it('completes an upload of another process, twice', async () => {
    const { tags } = await write([Buffer.from('all')]);
    await store.close();
    const other = openFileStore({ kind: 'local' }, environment);
    await other.complete(await handleOf(), tags, 3);
    await other.complete(await handleOf(), tags, 3);
    expect(await other.get(key, 3)).toEqual(Buffer.from('all'));
  });

  it('reports an upload that is lost or incomplete', async () => {
    await expect(store.complete(await handleOf(), [], 3)).rejects.toMatchObject({ code: 'upload_lost' });
    await write([Buffer.from('al')]);
    await expect(store.complete(await handleOf(), [], 3)).rejects.toMatchObject({ code: 'upload_lost' });
    expect(existsSync(join(root, 'proj1', key))).toBe(false);
  });

  it('tells that its own folder is missing, and does not create it', async () => {
    await rm(root, { recursive: true });
    await expect(store.put(key, Buffer.from('all'))).rejects.toMatchObject({
      code: 'not_found',
      message: "The server's folder for exports does not exist.",
    });
    expect(existsSync(root)).toBe(false);
  });

  it('removes an aborted upload', async () => {
    await write([Buffer.from('all')]);
    expect(await store.abort(await handleOf())).toBeNull();
    expect(readdirSync(folder())).toEqual([]);
    expect(await store.abort(await handleOf('never/seen'))).toBeNull();
  });

  it('never overwrites a file', async () => {
    await store.put(key, Buffer.from('first'));
    await store.put(key, Buffer.from('first'));
    await expect(store.put(key, Buffer.from('second'))).rejects.toMatchObject({ code: 'already_exists' });
    const { tags, size } = await write([Buffer.from('others')]);
    await expect(store.complete(await handleOf(), tags, size)).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await store.abort(await handleOf())).toBeNull();
    expect(await store.get(key, 5)).toEqual(Buffer.from('first'));
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it('refuses a second unfinished file of the same name', async () => {
    await write([Buffer.from('mine')]);
    const other = openFileStore({ kind: 'local' }, environment);
    await expect(other.writePart(await handleOf(), 1, Buffer.from('theirs'))).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  it('stores a small file over the remains of a dead process', async () => {
    await store.put('manifest.json', Buffer.from('{}'));
    writeFileSync(join(root, 'proj1/.other.json.part'), '{');
    await store.put('other.json', Buffer.from('{}'));
    expect(readdirSync(join(root, 'proj1')).sort()).toEqual(['manifest.json', 'other.json']);
  });

  it('deletes a file, once or twice, and reads no missing or large file', async () => {
    await store.put(key, Buffer.from('123'));
    await expect(store.get(key, 2)).rejects.toMatchObject({ code: 'store_error' });
    await store.delete(key);
    await store.delete(key);
    await store.delete('never/seen');
    await expect(store.get(key, 3)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reports a missing folder and a missing setting', async () => {
    await rm(root, { recursive: true });
    await expect(store.put(key, Buffer.from('1'))).rejects.toMatchObject({ code: 'not_found' });
    expect(() => openFileStore({ kind: 'local' }, testEnvironment())).toThrow('no folder for exports');
  });

  it.each([
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['EACCES', 'access_denied'],
    ['EROFS', 'access_denied'],
    ['EIO', 'store_error'],
  ])('reports %s as %s', (code, failure) => {
    const error = localFailure(Object.assign(new Error(`${code}: /srv/secret/path`), { code }), 'a/b');
    expect(error.code).toBe(failure);
    expect(error.message).toContain(`a/b (${code})`);
    expect(error.message).not.toContain('/srv');
  });

  it.each(['proj1', 'proj1/acme', 'proj1/acme/2026-11-27'])(
    'refuses a symbolic link in place of %s',
    async (path) => {
      const target = join(outside, 'elsewhere');
      await mkdir(target);
      await mkdir(join(root, path, '..'), { recursive: true });
      await symlink(target, join(root, path));
      const handle = await store.open(key);
      await expect(store.writePart(handle, 1, Buffer.from('1'))).rejects.toMatchObject({
        code: 'access_denied',
      });
      await expect(store.put(key, Buffer.from('1'))).rejects.toMatchObject({ code: 'access_denied' });
      await expect(store.get(key, 1)).rejects.toMatchObject({ code: 'access_denied' });
      expect(readdirSync(target)).toEqual([]);
    },
  );

  it('does not follow a symbolic link in place of a file', async () => {
    const target = join(outside, 'passwd');
    writeFileSync(target, 'root');
    await store.put('acme/first', Buffer.from('1'));
    await symlink(target, join(root, 'proj1/acme/.next.part'));
    await symlink(target, join(root, 'proj1/acme/manifest.json'));
    const handle = await store.open('acme/next');
    await expect(store.writePart(handle, 1, Buffer.from('1'))).rejects.toMatchObject({
      code: 'already_exists',
    });
    await expect(store.get('acme/manifest.json', 10)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(store.put('acme/manifest.json', Buffer.from('{}'))).rejects.toMatchObject({
      code: 'access_denied',
    });
    await store.delete('acme/manifest.json');
    expect(readFileSync(target, 'utf8')).toBe('root');
  });

  it('writes nothing outside the folder of the project, whatever the key and the links in it', async () => {
    await mkdir(join(outside, 'elsewhere'));
    const segment = fc.oneof(
      fc.constantFrom('', '.', '..', 'link', 'deep', 'a', '\\..\\..', '%2e%2e', '~', 'c:', '..\u0000'),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const keys = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
    const links = fc.subarray(['link', 'deep/link', 'a', 'deep']);
    await fc.assert(
      fc.asyncProperty(
        keys,
        links,
        fc.constantFrom('..', '../..', '/', 'elsewhere'),
        async (name, at, to) => {
          const target = to === 'elsewhere' ? join(outside, to) : to;
          await rm(join(root, 'proj1'), { recursive: true, force: true });
          await mkdir(join(root, 'proj1/deep'), { recursive: true });
          for (const path of at.filter((candidate) => !existsSync(join(root, 'proj1', candidate)))) {
            await symlink(target, join(root, 'proj1', path));
          }
          const attempts = openFileStore({ kind: 'local' }, environment);
          const before = treeOf(outside, join(root, 'proj1'));
          const handle = await attempts.open(name).catch(() => null);
          if (handle) {
            await attempts.writePart(handle, 1, Buffer.from('1')).catch(() => null);
            await attempts.complete(handle, [{ number: 1, tag: '' }], 1).catch(() => null);
          }
          await attempts.put(`${name}.json`, Buffer.from('{}')).catch(() => null);
          await attempts.close();
          expect(treeOf(outside, join(root, 'proj1'))).toEqual(before);
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Every path below a folder with its size, except below `excluded`; links are not followed. */
function treeOf(folder: string, excluded: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (path === excluded) return [];
    const found = lstatSync(path);
    return found.isDirectory() ? [path, ...treeOf(path, excluded)] : [`${path} ${found.size}`];
  });
}
