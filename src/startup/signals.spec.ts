import { jest } from '@jest/globals';
import { LogService } from '../platform/observability/log.service.js';
import { onStopSignal } from './signals.js';

describe('a process that is asked to stop', () => {
  let exits: unknown[];
  let overdue: number;

  beforeEach(() => {
    jest.useFakeTimers();
    exits = [];
    overdue = 0;
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      exits.push(code);
      return undefined as never;
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  function stopBy(stop: () => Promise<void>): void {
    const requested = new AbortController();
    onStopSignal(
      requested.signal,
      new LogService('silent'),
      { withinMs: 5_000, onOverdue: () => overdue++ },
      stop,
    );
    requested.abort('SIGTERM');
  }

  it('ends with 0 when everything has ended', async () => {
    stopBy(() => Promise.resolve());
    await jest.advanceTimersByTimeAsync(0);
    expect(exits).toEqual([0]);
  });

  it('ends with 1 when that fails', async () => {
    stopBy(() => Promise.reject(new Error('broken')));
    await jest.advanceTimersByTimeAsync(0);
    expect(exits).toEqual([1]);
  });

  it('ends with 1 when it takes ten seconds more than it may', async () => {
    stopBy(() => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(14_999);
    expect([exits, overdue]).toEqual([[], 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([exits, overdue]).toEqual([[1], 1]);
  });
});
