import { jest } from '@jest/globals';
import { LogService } from './log.service.js';

const diskFull = (file: string): Error =>
  Object.assign(new Error(`could not extend file "${file}": No space left on device`), { code: '53100' });

const refused = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

interface Line {
  level: string;
  msg: string;
  path?: string;
  repeated?: number;
  also?: string[];
  cause?: string;
  seconds?: number;
  err?: { type: string; message: string; stack: string };
}

let lines: Line[];
let log: LogService;

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  log = new LogService('debug', { write: (line: string) => lines.push(JSON.parse(line) as Line) });
});

afterEach(() => {
  jest.useRealTimers();
});

describe('lines of requests that repeat', () => {
  it('writes them once a second, with how many were left out', () => {
    for (let number = 0; number < 100; number++) {
      log.error({ err: diskFull(`base/5/${number}`), request_id: `r${number}` }, 'request failed');
      jest.advanceTimersByTime(50);
    }
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 19, 20, 20, 20, 20]);
    jest.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(6);
    log.error({ err: diskFull('base/6'), request_id: 'later' }, 'request failed');
    expect(lines[6]?.repeated).toBeUndefined();
  });

  it('keeps other lines: another message, level, code or error', () => {
    const about = { request_id: 'r1' };
    const full = diskFull('base/5');
    log.error({ ...about, err: full }, 'request failed');
    log.error({ ...about, err: full }, 'a webhook was not sent');
    log.warn({ ...about, err: full }, 'request failed');
    log.error({ ...about, err: Object.assign(new Error(full.message), { code: '57014' }) }, 'request failed');
    log.error({ ...about, err: new Error('one') }, 'request failed');
    log.error({ ...about, err: new Error('two') }, 'request failed');
    log.error({ ...about, err: new Error('two') }, 'request failed');
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'error request failed',
      'error a webhook was not sent',
      'warn request failed',
      'error request failed',
      'error request failed',
      'error request failed',
    ]);
  });

  it('writes all if they hold no error, and when the process ends', () => {
    for (const path of ['/a', '/b']) {
      log.error({ path }, 'a purchase is not acknowledged');
      log.info({ err: diskFull('base/5'), path }, 'request');
      log.fatal({ err: diskFull('base/5'), path }, 'the server cannot start');
    }
    expect(lines.map(({ path }) => path)).toEqual(['/a', '/a', '/a', '/b', '/b', '/b']);
  });
});

describe('lines of background work that repeat', () => {
  it('writes one a minute for each cause, and one when it has ended', () => {
    const jobs = ['due work failed', 'webhooks failed', 'tasks failed'];
    for (let second = 0; second < 180; second++) {
      for (const job of jobs) log.error({ err: refused() }, job);
      log.warn({ err: refused() }, 'the clock could not be compared');
      if (second === 30) log.error({ err: diskFull('base/5') }, 'partitions failed');
      jest.advanceTimersByTime(1_000);
    }
    expect(lines.map(({ level, msg, repeated, also }) => [level, msg, repeated, also?.sort()])).toEqual([
      ['error', 'due work failed', undefined, undefined],
      ['error', 'partitions failed', undefined, undefined],
      [
        'error',
        'tasks failed',
        239,
        ['due work failed', 'the clock could not be compared', 'webhooks failed'],
      ],
      [
        'error',
        'tasks failed',
        240,
        ['due work failed', 'the clock could not be compared', 'webhooks failed'],
      ],
      [
        'error',
        'tasks failed',
        240,
        ['due work failed', 'the clock could not be compared', 'webhooks failed'],
      ],
    ]);
    jest.advanceTimersByTime(120_000);
    expect(
      lines
        .slice(5)
        .map(({ level, msg, cause, repeated, seconds }) => [level, msg, cause, repeated, seconds]),
    ).toEqual([
      ['info', 'a failure has ended', 'Error ECONNREFUSED connect ECONNREFUSED ….….….…:…', 719, 240],
    ]);
    jest.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(6);
  });

  it('forgets the oldest of more causes than can be remembered, with its count', () => {
    const failing = (letter: number) => new Error(String.fromCharCode(0x4e00 + letter));
    for (let time = 0; time < 3; time++) log.error({ err: failing(0) }, 'failed');
    for (let letter = 1; letter <= 500; letter++) log.error({ err: failing(letter) }, 'failed');
    expect(
      lines.filter(({ err }) => err?.message === failing(0).message).map(({ repeated }) => repeated),
    ).toEqual([undefined, 2]);
    expect(jest.getTimerCount()).toBe(500);
  });
});

describe('an error in the log', () => {
  it('shows what it is, and no value of a row, a statement or a request', () => {
    const values = {
      detail: 'Key (app_user_id)=(ada@example.com) already exists.',
      parameters: ['ada@example.com'],
    };
    const duplicate = Object.assign(
      new Error('duplicate key value violates unique constraint "customers_pkey"'),
      {
        ...values,
        code: '23505',
        table: 'customers',
      },
    );
    const invalid = Object.assign(new Error('invalid input syntax for type uuid: "ada@example.com"'), {
      code: '22P02',
    });
    let parse: unknown;
    try {
      JSON.parse('{"ada@example.com"');
    } catch (error) {
      parse = error;
    }
    for (const err of [duplicate, invalid, parse, new Error('failed', { cause: invalid })]) {
      log.error({ err, request_id: 'r' }, 'request failed');
    }
    expect(lines.map(({ err }) => err)).toMatchObject([
      {
        type: 'Error',
        code: '23505',
        table: 'customers',
        stack: expect.stringContaining('log.service.spec') as string,
      },
      { message: 'invalid input syntax for type uuid: "…"' },
      { type: 'SyntaxError' },
      { message: 'failed', cause: { code: '22P02' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('ada@');
  });

  it('shows why none of several addresses could be reached', () => {
    log.error({ err: new AggregateError([refused()], '') }, 'failed');
    expect(lines[0]?.err).toMatchObject({ type: 'AggregateError', cause: { code: 'ECONNREFUSED' } });
  });
});
