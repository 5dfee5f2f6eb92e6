import { Log } from './log.js';

const diskFull = (file: string): Error =>
  Object.assign(new Error(`could not extend file "${file}": No space left on device`), { code: '53100' });

interface Line {
  level: string;
  msg: string;
  path?: string;
  repeated?: number;
}

describe('lines of the log that repeat', () => {
  let nowMs: number;
  let lines: Line[];
  let log: Log;

  beforeEach(() => {
    nowMs = 5_000;
    lines = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line) as Line) };
    log = new Log('debug', destination, () => nowMs);
  });

  it('are written once a second, with how many were left out', () => {
    for (let number = 0; number < 100; number++) {
      log.error({ err: diskFull(`base/5/${number}`), path: `/${number}` }, 'request failed');
      nowMs += 50;
    }
    expect(lines.map(({ path, repeated }) => [path, repeated])).toEqual([
      ['/0', undefined],
      ['/20', 19],
      ['/40', 19],
      ['/60', 19],
      ['/80', 19],
    ]);
    nowMs += 60_000;
    for (let number = 0; number < 2; number++) log.error({ err: diskFull('base/6') }, 'request failed');
    expect(lines.slice(5).map(({ repeated }) => repeated)).toEqual([19]);
    nowMs += 1_000;
    log.error({ err: diskFull('base/6') }, 'request failed');
    nowMs += 1_000;
    log.error({ err: diskFull('base/6') }, 'request failed');
    expect(lines.slice(6).map(({ repeated }) => repeated)).toEqual([1, undefined]);
  });

  it('do not keep others away: another message, level, code or error', () => {
    const full = diskFull('base/5');
    log.error({ err: full }, 'request failed');
    log.error({ err: full }, 'a webhook was not sent');
    log.warn({ err: full }, 'request failed');
    log.error({ err: Object.assign(new Error(full.message), { code: '57014' }) }, 'request failed');
    log.error({ err: new Error('one') }, 'request failed');
    log.error({ err: new Error('two') }, 'request failed');
    log.error({ err: new Error('two') }, 'request failed');
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'error request failed',
      'error a webhook was not sent',
      'warn request failed',
      'error request failed',
      'error request failed',
      'error request failed',
    ]);
  });

  it('are all written when they tell of no error', () => {
    for (const path of ['/a', '/b']) {
      log.error({ path }, 'a purchase is not acknowledged');
      log.info({ err: diskFull('base/5'), path }, 'request');
    }
    expect(lines.map(({ path }) => path)).toEqual(['/a', '/a', '/b', '/b']);
  });
});
