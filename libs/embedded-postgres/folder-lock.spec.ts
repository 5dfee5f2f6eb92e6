import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compileEmbedded,
  killHard,
  messageOf,
  runBesides,
} from '../../test/support/database/owner-process.js';
import { lockFolder } from './folder-lock.js';

/** All contenders are loaded first and then released simultaneously; each reports its result. */
const CONTENDER = `
  import { lockFolder } from './embedded/folder-lock.js';
  let release = () => undefined;
  process.on('message', async ({ at, giveBack }) => {
    if (giveBack) {
      release();
      release = () => undefined;
      return process.send('given back');
    }
    while (Date.now() < at);
    try {
      release = await lockFolder(process.argv[2]);
      process.send('has it');
    } catch (error) {
      process.send(error.message);
    }
  });
  process.send('loaded');
`;
const ROUNDS = 8;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'));
  file = join(folder, 'data.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives a folder to one at a time', async () => {
  const release = await lockFolder(file);
  await expect(lockFolder(file)).rejects.toThrow('Another Tenure process uses this folder');
  release();
  const releaseAgain = await lockFolder(file);
  releaseAgain();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['a process that is gone', JSON.stringify({ pid: 2 ** 30, startedAt: 'then' })],
  [
    'a former process with the number of a living one',
    JSON.stringify({ pid: process.pid, startedAt: 'then' }),
  ],
  ['an unreadable owner', ''],
])('does not count the lock of %s', async (_, text) => {
  writeFileSync(file, text);
  const release = await lockFolder(file);
  await expect(lockFolder(file)).rejects.toThrow(`process ${process.pid} holds`);
  release();
});

it('gets over a process that was killed while it removed a stale lock', async () => {
  writeFileSync(file, JSON.stringify({ pid: 2 ** 30, startedAt: 'then' }));
  writeFileSync(`${file}.takeover`, JSON.stringify({ pid: 2 ** 30 + 1, startedAt: 'then' }));
  const release = await lockFolder(file);
  release();
  expect(readdirSync(folder)).toEqual([]);
});

it('gives a stale lock to one of many processes that find it at once', async () => {
  compileEmbedded(folder);
  const contenders: ChildProcess[] = Array.from({ length: 6 }, () => runBesides(folder, CONTENDER, [file]));
  const ask = (question: object): Promise<unknown[]> =>
    Promise.all(
      contenders.map((contender) => {
        const answer = messageOf(contender);
        contender.send(question);
        return answer;
      }),
    );
  try {
    await Promise.all(contenders.map(messageOf));
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(file, JSON.stringify({ pid: 2 ** 30, startedAt: `round ${round}` }));
      const answers = await ask({ at: Date.now() + 20 });
      expect(answers.filter((answer) => answer === 'has it')).toHaveLength(1);
      expect(answers.filter((answer) => /^Another Tenure process/.test(String(answer)))).toHaveLength(5);
      await ask({ giveBack: true });
    }
  } finally {
    await Promise.all(contenders.map(killHard));
  }
});
