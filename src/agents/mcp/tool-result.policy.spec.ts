import { fitted, itemsThatFit, shownAnswer } from './tool-result.policy.js';

const listOf = (items: unknown[], next: string | null = null) => ({
  object: 'list',
  items,
  next_page: next,
  url: '/v2/projects/proj1/products',
});

describe('an answer of REST, as a tool gives it', () => {
  it('has the cursor of a list instead of its path', () => {
    const answer = listOf([{ id: 'a' }], '/v2/projects/proj1/products?limit=1&starting_after=a%2Fb');
    expect(shownAnswer(answer)).toEqual({ items: [{ id: 'a' }], next_cursor: 'a/b', has_more: true });
  });

  it('says of the last page that there is no more, also of lists inside', () => {
    expect(shownAnswer({ id: 'cus', purchases: listOf([]) })).toEqual({
      id: 'cus',
      purchases: { items: [], next_cursor: null, has_more: false },
    });
  });

  it('hides attributes that are named like secrets, in lists and in maps', () => {
    const answer = {
      attributes: listOf([
        { object: 'customer.attribute', name: '$apnsTokens', value: 'abc' },
        { object: 'customer.attribute', name: 'Password hint', value: 'abc' },
        { object: 'customer.attribute', name: '$email', value: 'a@example.com' },
      ]),
      subscriber_attributes: { apiToken: { value: 'abc', updated_at_ms: 1 }, $ip: { value: '1.1.1.1' } },
    };
    expect(shownAnswer(answer)).toEqual({
      attributes: {
        items: [
          { object: 'customer.attribute', name: '$apnsTokens', value: '***' },
          { object: 'customer.attribute', name: 'Password hint', value: '***' },
          { object: 'customer.attribute', name: '$email', value: 'a@example.com' },
        ],
        next_cursor: null,
        has_more: false,
      },
      subscriber_attributes: { apiToken: { value: '***', updated_at_ms: 1 }, $ip: { value: '1.1.1.1' } },
    });
  });

  it('never has the secret of a webhook', () => {
    expect(shownAnswer({ id: 'wh', signing_secret: 'whsec_abc' })).toEqual({ id: 'wh' });
  });
});

describe('a list that is too long', () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ id: String(index), text: 'x'.repeat(100) }));

  it('repeats the call with as many items as fit', () => {
    const count = itemsThatFit({ items, next_cursor: null, has_more: false }, 2_000) ?? 0;
    const shorter = { items: items.slice(0, count), next_cursor: 'c'.repeat(40), has_more: true };
    expect(JSON.stringify(shorter).length).toBeLessThanOrEqual(2_000);
    expect(count).toBeGreaterThan(10);
  });

  it.each([
    ['fits', { items, next_cursor: null, has_more: false }, 60_000],
    ['is no list', { id: 'a', text: 'x'.repeat(5_000) }, 2_000],
  ])('passes it unchanged if it %s', (_, answer, max) => expect(itemsThatFit(answer, max)).toBeNull());
});

describe('an object that is too long', () => {
  const subscriptions = { items: Array.from({ length: 64 }, () => 'x'.repeat(100)), has_more: false };
  const few = { items: ['short'] };

  it('has its largest lists cut, and says which', () => {
    const answer = { id: 'cus', subscriptions, entitlements: few, notes: ['y'.repeat(300)] };
    const cut = fitted(answer, 2_000);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2_000);
    expect(cut).toMatchObject({ id: 'cus', entitlements: few, truncated: ['subscriptions'] });
    expect(subscriptions.items).toHaveLength(64);
  });

  it('returns it unchanged if it fits', () => {
    const answer = { subscriptions };
    expect(fitted(answer)).toBe(answer);
  });

  it('says so if there is no list to cut', () => {
    expect(fitted({ text: 'x'.repeat(3_000) }, 2_000)).toEqual({
      truncated: ['*'],
      message: 'The answer is too large to be shown.',
    });
  });
});
