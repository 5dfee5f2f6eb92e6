import { paidYearEndsAt } from './index.js';
import { at } from './testing/subscription-history.js';

const free = { amountMicros: 0, currency: 'USD', source: 'store' } as const;

it('counts the first paid year from the first paid period', () => {
  const facts = at(0).period(0, { kind: 'trial', price: free }).period(1).period(2).observation.facts;
  expect(paidYearEndsAt(facts)).toBe(Date.UTC(2027, 0, 31, 12));
});

it('ignores the order in which periods become known', () => {
  const facts = at(0).period(5).period(0).observation.facts;
  expect(paidYearEndsAt(facts)).toBe(Date.UTC(2027, 0, 1, 12));
});

it.each([
  ['a trial', { kind: 'trial' as const }],
  ['a shared subscription', { ownership: 'family_shared' as const }],
  ['a period that cost nothing', { price: free }],
])('%s does not begin a paid year', (_, change) => {
  expect(paidYearEndsAt(at(0).period(0, change).observation.facts)).toBeNull();
});

it('counts a period of unknown price as paid', () => {
  const unknown = { amountMicros: null, currency: null, source: 'unknown' } as const;
  expect(paidYearEndsAt(at(0).period(0, { price: unknown }).observation.facts)).not.toBeNull();
});
