import { newCancellation } from './new-cancellation.js';

describe('newCancellation', () => {
  const place = { key: 'token', environment: 'production' } as const;
  const cancelled = { cancelledAtMs: 1_000, cancelSurvey: 'OTHERS' };
  const recorded = { ...place, cancelledAtMs: 1_000, reason: 'OTHERS' };

  it.each([
    ['records the first report', cancelled, undefined, recorded],
    ['records a cancellation after a renewal', cancelled, { cancelledAtMs: null }, recorded],
    ['records a second cancellation', cancelled, { ...cancelled, cancelledAtMs: 900 }, recorded],
    ['records an answer that came later', cancelled, { ...cancelled, cancelSurvey: null }, recorded],
    ['skips a known cancellation', cancelled, cancelled, null],
    ['skips one from before answers were recorded', cancelled, { cancelledAtMs: 1_000 }, null],
    ['skips a cancellation that is not by the customer', { cancelledAtMs: 1_000 }, undefined, null],
    ['skips one without a time', { cancelledAtMs: null, cancelSurvey: null }, undefined, null],
    ['skips reports without a renewal', undefined, cancelled, null],
  ])('%s', (_, reported, known, expected) => {
    expect(newCancellation(place, reported, known)).toEqual(expected);
  });
});
