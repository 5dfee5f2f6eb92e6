import { linkProblem, linkUrl } from './link.policy.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 2, 3, minute));
const link = (endedBy: 'used' | 'replaced' | null, endedAt: Date | null) => ({
  expiresAt: at(30),
  endedBy,
  endedAt,
});

describe('why a link does not work', () => {
  it.each([
    ['one that does not exist', null, at(0), 'not_found'],
    ['an open one', link(null, null), at(29), null],
    ['an open one at its end', link(null, null), at(30), 'expired'],
    ['a used one', link('used', at(10)), at(11), 'used'],
    ['a used one after its end', link('used', at(10)), at(31), 'used'],
    ['a replaced one', link('replaced', at(10)), at(11), 'replaced'],
    ['a replaced one after its end', link('replaced', at(10)), at(31), 'replaced'],
    ['one that had expired when it was replaced', link('replaced', at(30)), at(31), 'expired'],
  ] as const)('%s', (_, given, now, problem) => {
    expect(linkProblem(given, now)).toBe(problem);
  });
});

it('puts the token into the fragment of a link', () => {
  expect(linkUrl('https://example.com', 'reset_password', 'abc')).toBe(
    'https://example.com/reset-password#token=abc',
  );
});
