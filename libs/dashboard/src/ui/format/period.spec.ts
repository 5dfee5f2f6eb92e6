import { formatDuration, formatPeriod } from './period.js';

describe('formatPeriod', () => {
  it.each([
    ['P1M', '1 month'],
    ['P3M', '3 months'],
    ['P1Y', '1 year'],
    ['P1W', '1 week'],
    ['P3D', '3 days'],
    ['P1Y6M', '1 year, 6 months'],
    ['PT5M', '5 minutes'],
    ['P1DT12H', '1 day, 12 hours'],
  ])('writes %s as %s', (period, words) => {
    expect(formatPeriod('en', period)).toBe(words);
  });

  it('uses the words of the locale', () => {
    expect(formatPeriod('de', 'P1M')).toBe('1 Monat');
  });

  it('gives back what is not a period', () => {
    expect(['monthly', 'P', 'PT', 'P0D', 'P1X'].map((text) => formatPeriod('en', text))).toEqual([
      'monthly',
      'P',
      'PT',
      'P0D',
      'P1X',
    ]);
    expect(formatPeriod('en', null)).toBe('—');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [812, '812 ms'],
    [1000, '1 sec'],
    [4250, '4.3 sec'],
    [90_000, '1 min'],
    [7_200_000, '2 hr'],
    [259_200_000, '3 days'],
    [null, '—'],
  ])('writes %p ms as %s', (ms, words) => {
    expect(formatDuration('en', ms)).toBe(words);
  });
});
