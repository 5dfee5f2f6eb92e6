import {
  type CurrentToken,
  decideReplaced,
  openSuccessors,
  type ReplacedToken,
  type ReplacedTokenDecision,
  sealSuccessor,
} from './replaced-token.policy.js';

const NOW = Date.UTC(2026, 0, 2);
const DAY_MS = 86_400_000;
const rules = { nowMs: NOW, lifetimeMs: 30 * DAY_MS, graceMs: 60_000 };

const replaced = (agoMs: number, issuedAgoMs = agoMs + 3_600_000): ReplacedToken => ({
  generation: 1,
  issuedAt: new Date(NOW - issuedAgoMs),
  replacedAgoMs: agoMs,
  sealedSuccessor: null,
});
const current = (generation: number, usedAt: Date | null): CurrentToken => ({ generation, usedAt });
const used = new Date(NOW - 1);

describe('a replaced refresh token', () => {
  it.each<[string, ReplacedToken, CurrentToken, ReplacedTokenDecision]>([
    ['repeats within the grace period', replaced(60_000), current(2, used), 'repeat'],
    ['ends the session after it', replaced(60_001), current(2, used), 'reuse'],
    [
      'repeats later while its successor was never used',
      replaced(29 * DAY_MS, 29 * DAY_MS + 1),
      current(2, null),
      'repeat',
    ],
    ['ends the session if a later successor was not used', replaced(60_001), current(3, null), 'reuse'],
    ['repeats over five steps', replaced(1), current(6, used), 'repeat'],
    ['ends the session over six steps', replaced(1), current(7, used), 'reuse'],
    ['ends nothing past its own lifetime', replaced(1, 30 * DAY_MS), current(2, null), 'expired'],
    ['works to its last millisecond', replaced(1, 30 * DAY_MS - 1), current(2, null), 'repeat'],
  ])('%s', (_, presented, now, decision) => {
    expect(decideReplaced(presented, now, rules)).toBe(decision);
  });

  it('ends the session with a grace period of 0', () => {
    const strict = { ...rules, graceMs: 0 };
    for (const usedAt of [null, used]) {
      expect(decideReplaced(replaced(0), current(2, usedAt), strict)).toBe('reuse');
    }
  });
});

describe('sealed successors', () => {
  const place = (generation: number): string => `session/${generation}`;
  const chain = (texts: string[]): ReplacedToken[] =>
    texts.slice(1).map((next, index) => ({
      ...replaced(0),
      generation: index,
      sealedSuccessor: sealSuccessor(texts[index] ?? '', next, place(index)),
    }));

  it('opens them one after another, and only with the token before each', () => {
    const rows = chain(['a', 'b', 'c', 'd']);
    expect(openSuccessors('a', rows, place)).toBe('d');
    expect(openSuccessors('b', rows.slice(1), place)).toBe('d');
    expect(openSuccessors('b', rows, place)).toBeNull();
  });

  it('fails at another place, or once one is forgotten', () => {
    const rows = chain(['a', 'b', 'c']);
    expect(openSuccessors('a', rows, (generation) => place(generation + 1))).toBeNull();
    const [first, second] = rows;
    const forgotten = { ...(second as ReplacedToken), sealedSuccessor: null };
    expect(openSuccessors('a', [first as ReplacedToken, forgotten], place)).toBeNull();
  });
});
