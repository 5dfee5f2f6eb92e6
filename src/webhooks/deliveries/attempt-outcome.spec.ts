import {
  type AttemptOutcome,
  notSent,
  pauseMs,
  resultOf,
  type Verdict,
  verdictOf,
} from './attempt-outcome.js';

const NOW_MS = 1_767_323_045_678;

const attempt = (
  verdict: Verdict,
  {
    attempts = 0,
    isProbe = false,
    limited = 0,
    ...outcome
  }: Partial<AttemptOutcome> & {
    attempts?: number;
    isProbe?: boolean;
    limited?: number;
  } = {},
) =>
  resultOf(
    { id: 'whd_1', attempts, isProbe, endpointLimited: limited },
    { ...notSent('https://example.com', 'x'), verdict, ...outcome },
    new Date(NOW_MS),
    NOW_MS,
  );

const minutesOf = (at: Date | null): number | null => at && Math.floor((at.getTime() - NOW_MS) / 60_000);

describe('the effect of an attempt on its delivery', () => {
  it.each(['delivered', 'duplicate'] as const)('completes the delivery: %s', (verdict) => {
    expect(attempt(verdict)).toMatchObject({
      status: 'delivered',
      reason: null,
      attempts: 1,
      nextAttemptAt: null,
    });
  });

  it.each(['retry', 'gone'] as const)('plans the next attempt, up to six: %s', (verdict) => {
    const results = [0, 1, 2, 3, 4, 5].map((attempts) => attempt(verdict, { attempts }));
    expect(results.map(({ nextAttemptAt }) => minutesOf(nextAttemptAt))).toEqual([5, 10, 20, 40, 80, null]);
    expect(results.map(({ status }) => status)).toEqual([
      'pending',
      'pending',
      'pending',
      'pending',
      'pending',
      'failed',
    ]);
    expect(results.at(-1)).toMatchObject({ reason: 'gave_up', attempts: 6, attempt: 6 });
  });

  it('repeats a limited attempt after the pause, without counting it', () => {
    const result = attempt('limited', { attempts: 5, retryAfterMs: 120_000 });
    expect(result).toMatchObject({ status: 'pending', reason: 'quiet', attempts: 5, attempt: 6 });
    expect(minutesOf(result.nextAttemptAt)).toBe(2);
  });

  it('counts the hundredth 429 in a row as a failure', () => {
    expect(attempt('limited', { limited: 98 })).toMatchObject({ attempts: 0, reason: 'quiet' });
    expect(attempt('limited', { limited: 99 })).toMatchObject({ attempts: 1, reason: null });
    expect(verdictOf({ verdict: 'limited' }, { endpointLimited: 99 })).toBe('retry');
  });

  it('does not count a probe that is refused, and lets another delivery probe next', () => {
    const result = attempt('refused', { attempts: 5, isProbe: true });
    expect(result).toMatchObject({ status: 'pending', reason: 'refused_key', attempts: 5 });
    expect(result.nextAttemptAt).toEqual(new Date(NOW_MS));
  });

  it('fails an event that was refused six times while the circuit was closed', () => {
    expect(attempt('refused', { attempts: 4 })).toMatchObject({ status: 'pending', reason: 'refused_key' });
    expect(attempt('refused', { attempts: 5 })).toMatchObject({ status: 'failed', reason: 'rejected' });
  });

  it('fails a rejected event at once', () => {
    expect(attempt('rejected')).toMatchObject({
      status: 'failed',
      reason: 'rejected',
      attempts: 1,
      nextAttemptAt: null,
    });
    expect(attempt('rejected', { reason: 'too_large' })).toMatchObject({
      status: 'failed',
      reason: 'too_large',
    });
  });

  it('skips an event that the endpoint does not want', () => {
    expect(attempt('skipped', { reason: 'opted_out' })).toMatchObject({
      status: 'skipped',
      reason: 'opted_out',
    });
  });

  it.each([
    [null, 30_000],
    [0, 1000],
    [1500, 1500],
    [9_000_000, 3_600_000],
  ])('pauses for %s ms at least a second and at most an hour', (asked, pause) => {
    expect(pauseMs(asked)).toBe(pause);
  });
});
