import { countdownTo } from './countdown.js';

const MINUTE_MS = 60_000;

describe('the time left to answer', () => {
  it.each([
    [200, 'in 3 h 20 min', false],
    [720, 'in 12 h', false],
    [60, 'in 1 h', false],
    [59, 'in 59 min', true],
    [0.5, 'in less than 1 min', true],
    [0, 'expired', false],
    [-5, 'expired', false],
  ])('is written for %d minutes as "%s"', (minutes, text, isSoon) => {
    expect(countdownTo(1e12 + minutes * MINUTE_MS, 1e12)).toEqual({ text, isSoon });
  });
});
