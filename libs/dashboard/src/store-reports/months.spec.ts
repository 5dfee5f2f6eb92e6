import { lastMonths } from './months.js';

describe('lastMonths', () => {
  it('starts with the present month and crosses years', () => {
    const months = lastMonths(Date.UTC(2026, 0, 31, 23, 59));
    expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(months).toHaveLength(24);
  });
});
