import { lengthBetween, lengthOfDuration } from './billing-length.js';

const at = (text: string): number => Date.parse(`${text}T12:00:00Z`);

describe('the length between two days', () => {
  it.each([
    // A subscription that started on the 31st is charged on the last day of February.
    ['2024-01-31', '2024-02-29', 60],
    ['2023-01-31', '2023-02-28', 60],
    ['2024-02-29', '2024-03-29', 60],
    ['2024-02-29', '2024-05-29', 180],
    ['2024-02-29', '2025-02-28', 720],
    ['2024-02-29', '2025-03-01', 720],
    ['2023-02-28', '2024-02-28', 720],
    ['2023-02-28', '2024-02-29', 720],
    ['2024-02-29', '2028-02-29', 4 * 720],
    ['2024-02-26', '2024-03-04', 15],
    ['2024-02-28', '2024-03-01', 4],
  ])('returns from %s to %s: %d', (from, to, length) => {
    expect(lengthBetween(at(from), at(to))).toBe(length);
  });
});

describe('the length of a period', () => {
  it.each([
    ['2026-01-31', '2026-02-28', 'P1M'],
    ['2026-02-01', '2026-03-01', 'P1M'],
    ['2026-01-02', '2026-02-01', 'P1M'],
    ['2024-02-29', '2025-02-28', 'P1Y'],
    ['2026-01-02', '2027-01-02', 'P1Y'],
    ['2026-01-02', '2026-07-02', 'P6M'],
    ['2026-01-02', '2026-01-09', 'P1W'],
    ['2026-01-02', '2026-01-16', 'P2W'],
    ['2026-01-02', '2026-01-05', 'P3D'],
    ['2026-01-02', '2026-02-16', 'P45D'],
  ])('returns from %s to %s: %s', (start, end, duration) => {
    expect(lengthBetween(at(start), at(end))).toBe(lengthOfDuration(duration));
  });

  it('lasts at least a day, and zero without an end', () => {
    expect(lengthBetween(0, 300_000)).toBe(lengthOfDuration('P1D'));
    expect(lengthBetween(0, 0)).toBe(2);
    expect(lengthBetween(0, null)).toBe(0);
    expect(lengthOfDuration('PT5M')).toBeNull();
    expect(lengthOfDuration('soon')).toBeNull();
  });
});
