import { rangeOf } from './replay-period.js';

const known = { failing: 500, paused: null, now: 10_000_000 };
const own = { period: 'own', from: 1, to: null } as const;

describe('the period of a replay', () => {
  it('ends now unless another end was chosen', () => {
    expect(rangeOf({ ...own, period: 'hour' }, known)).toEqual({ from: 6_400_000, to: 10_000_000 });
    expect(rangeOf({ ...own, period: 'failing', to: 7 }, known)).toEqual({ from: 500, to: 10_000_000 });
    expect(rangeOf(own, known)).toEqual({ from: 1, to: 10_000_000 });
    expect(rangeOf({ ...own, to: 9 }, known)).toEqual({ from: 1, to: 9 });
  });

  it('needs a beginning', () => {
    expect(rangeOf({ ...own, from: null }, known)).toBeNull();
    expect(rangeOf({ ...own, period: 'paused' }, known)).toBeNull();
  });
});
