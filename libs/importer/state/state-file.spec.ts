import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdHashes } from '../customers/id-hashes.js';
import { MentionedIds } from '../customers/mentioned-ids.js';
import { lockFile } from './lock-file.js';
import { assertStateOf, readState, writeState } from './state-file.js';
import { newState } from './state.model.js';

const source = { url: 'https://source/v2', project: 'proj1' };
const target = { url: 'https://target', project: 'proj2' };

describe('the state of an import', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-state-'));
    file = join(folder, 'state.json');
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('stores what was written last, for its owner only, and nothing else in the folder', async () => {
    expect(await readState(file)).toBeNull();
    await writeState(file, newState(source, target, 1));
    const state = { ...newState(source, target, 2), next_page: '/v2/x?starting_after=%24RCAnonymousID%3A1' };
    await writeState(file, state);
    expect(await readState(file)).toEqual(state);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it.each(['', '{', '[]', '{"version":1}', '{"version":1,"source":{"url":"x"}}'])(
    'reports wrong usage when damaged, and changes nothing: %s',
    async (text) => {
      await writeFile(file, text);
      await expect(readState(file)).rejects.toMatchObject({ exitCode: 2 });
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('reports wrong usage for a newer version, or another source or target', async () => {
    await writeFile(file, '{"version":2}');
    await expect(readState(file)).rejects.toThrow(/newer version.*--restart.*--state/);
    const state = newState(source, target, 1);
    const assert = (a: object, b: object) => () =>
      assertStateOf(state, file, { ...source, ...a }, { ...target, ...b });
    expect(assert({ project: null }, { project: null })).not.toThrow();
    expect(assert({ url: 'https://other/v2' }, {})).toThrow(/another source/);
    expect(assert({}, { project: 'proj3' })).toThrow(/another target.*--restart.*--state/);
  });

  it('reports a failure, not wrong usage, if the folder is gone', async () => {
    const lost = join(folder, 'gone', 'state.json');
    await expect(writeState(lost, newState(source, target, 1))).rejects.toMatchObject({ exitCode: 1 });
  });

  it('locks out a second run until the first one ends or dies', async () => {
    const lock = `${file}.lock`;
    const held = await lockFile(lock);
    await writeFile(lock, JSON.stringify({ pid: process.ppid, host: hostname() }));
    await expect(lockFile(lock)).rejects.toThrow(new RegExp(`process ${process.ppid} on ${hostname()}`));
    await writeFile(lock, JSON.stringify({ pid: 1, host: 'another-machine' }));
    await expect(lockFile(lock)).rejects.toMatchObject({ exitCode: 1 });
    for (const stale of ['', JSON.stringify({ pid: 2 ** 22 + 5, host: hostname() })]) {
      await writeFile(lock, stale);
      await (await lockFile(lock)).release();
    }
    await held.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps the ids of a pass in eight bytes each, also across runs that were killed while writing', async () => {
    const name = `${file}.ids`;
    const ids = new IdHashes(name);
    for (let index = 0; index < 70_000; index += 1) ids.add(`user-${index}`);
    expect(ids.add('user-5')).toBe(false);
    await ids.save();
    expect(ids.add('later')).toBe(true);
    await ids.save();
    await writeFile(name, Buffer.from([1, 2, 3]), { flag: 'a' });
    const again = new IdHashes(name);
    await again.load();
    expect(again.size).toBe(70_001);
    expect(['user-0', 'user-69999', 'later', 'user-70000'].map((id) => again.has(id))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    await again.clear();
    expect([again.size, await readdir(folder)]).toEqual([0, []]);
  });

  it('keeps ids that were only mentioned, whatever they contain', async () => {
    const name = `${file}.mentioned`;
    const mentioned = new MentionedIds(name);
    mentioned.add(['with\nnewline', 'ümlaut']);
    await mentioned.save();
    await writeFile(name, '"cut o', { flag: 'a' });
    const all: string[] = [];
    for await (const id of new MentionedIds(name).all()) all.push(id);
    expect(all).toEqual(['with\nnewline', 'ümlaut']);
  });
});
