import { apiFilters, problemOf, readCustomersSearch, savedFilters } from './customer-filters.js';

describe('filters of the customer list', () => {
  it('reads the address, and ignores values that no filter can have', () => {
    const given = { q: 'ada', sort: 'spent', status: 'trial', country: 'Germany', mood: 'good', order: 'up' };
    expect(readCustomersSearch(given)).toEqual({ q: 'ada', sort: 'spent', filters: { status: 'trial' } });
  });

  it('translates days, amounts and attributes for the API', () => {
    const filters = { first_seen_after: '2026-01-02', spent_at_least: '9.99', attribute: 'plan=a=b' };
    expect(apiFilters(filters, 'ada')).toEqual({
      search: 'ada',
      first_seen_after: Date.UTC(2026, 0, 2),
      spent_at_least: 9.99,
      attribute_name: 'plan',
      attribute_value: 'a=b',
    });
  });

  it('restores the filters of a saved list', () => {
    const filters = { status: 'trial', last_seen_before: '2026-01-02', attribute: 'plan=team' };
    const sent = Object.entries(apiFilters(filters, undefined)).filter(([, value]) => value !== undefined);
    const saved = Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
    expect(savedFilters(saved)).toEqual({ q: undefined, ...filters });
  });

  it.each([
    ['status', 'asleep'],
    ['spent_at_least', 'much'],
    ['country', 'Germany'],
    ['attribute', 'plan'],
    ['last_seen_after', 'soon'],
  ] as const)('rejects the filter %s for %s', (name, value) => {
    expect(problemOf(name, value)).toEqual(expect.any(String));
  });
});
