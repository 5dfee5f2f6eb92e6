import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type NativePackage, postgresBinaries } from './binaries.js';

/** Owns no files here, so only permissions for everyone apply. */
const STRANGER = { uid: 2 ** 30, gid: 2 ** 30 };

let base: string;
let native: NativePackage;
let cache: string;

function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'binaries-'));
  chmodSync(base, 0o755);
  native = { root: join(base, 'package'), version: '1.2.3' };
  cache = join(base, 'cache');
  mkdirSync(cache);
  for (const program of ['initdb', 'postgres'])
    write(join(native.root, 'native/bin', program), program, 0o755);
  write(join(native.root, 'native/lib/libpq.so.5.18'), 'library', 0o644);
  write(join(native.root, 'native/share/timezones'), 'zones', 0o644);
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  write(join(native.root, 'native/pg-symlinks.json'), JSON.stringify(links), 0o644);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function libraryOf(program: string): string {
  return readFileSync(join(dirname(program), '../lib/libpq.so.5'), 'utf8');
}

it('makes the missing symbolic links of the installed libraries in place', () => {
  const { postgres } = postgresBinaries(native, null, cache);
  expect(postgres).toBe(join(native.root, 'native/bin/postgres'));
  expect(libraryOf(postgres)).toBe('library');
  expect(lstatSync(join(native.root, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
});

it.each([
  ['the checkout is closed to them', '.', 0o700],
  ['the program is closed to them', 'native/bin/postgres', 0o700],
])('copies the programs for another user when %s', (_, path, mode) => {
  chmodSync(join(native.root, path), mode);
  const { postgres } = postgresBinaries(native, STRANGER, cache);
  expect(postgres).toBe(join(cache, 'postgres-1.2.3/native/bin/postgres'));
  expect(lstatSync(postgres).mode & 0o777).toBe(0o755);
  expect(libraryOf(postgres)).toBe('library');
});

it('uses the copy that is there', () => {
  chmodSync(native.root, 0o700);
  const { postgres } = postgresBinaries(native, STRANGER, cache);
  const { ino } = lstatSync(postgres);
  expect(lstatSync(postgresBinaries(native, STRANGER, cache).postgres).ino).toBe(ino);
});

it('opens the copy to the other user whatever the umask', () => {
  chmodSync(native.root, 0o700);
  const umask = process.umask(0o077);
  try {
    const { postgres } = postgresBinaries(native, STRANGER, cache);
    for (const path of [postgres, dirname(postgres), dirname(dirname(dirname(postgres)))]) {
      expect(lstatSync(path).mode & 0o777).toBe(0o755);
    }
  } finally {
    process.umask(umask);
  }
});

it('does not run programs from a copy that others can write', () => {
  chmodSync(native.root, 0o700);
  mkdirSync(join(cache, 'postgres-1.2.3'), { recursive: true });
  chmodSync(join(cache, 'postgres-1.2.3'), 0o777);
  expect(() => postgresBinaries(native, STRANGER, cache)).toThrow('only this user can write');
});
