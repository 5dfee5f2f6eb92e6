import { type Difference, differenceTypes, type VerifyReport } from './verify.model.js';
import { verifyText } from './verify-text.js';

function report(differences: Difference[], changes: Partial<VerifyReport> = {}): VerifyReport {
  const counts = differenceTypes.map((type) => [
    type,
    differences.filter((each) => each.type === type).length,
  ]);
  return {
    kind: 'verify',
    version: 1,
    source: { project: 'projA' },
    target: { url: 'https://tenure.example.com', project: 'projB' },
    started_at: 0,
    finished_at: 1,
    customers: { source: 1200, target: 1201, checked: 1201 },
    entitlements: { source: 10, target: 9 },
    access_subscriptions: {
      source: 3,
      target: 3,
      production: { source: 2, target: 2 },
      sandbox: { source: 1, target: 1 },
    },
    differences,
    differences_left_out: 0,
    only_in_target: [],
    by_type: Object.fromEntries(counts) as VerifyReport['by_type'],
    fixed: 0,
    requests: { source: 1, target: 1, rate_limited_seconds: 0 },
    ...changes,
  };
}

describe('the report of import verify as text', () => {
  it('says when nothing differs', () => {
    expect(verifyText(report([])))
      .toBe(`Compared 1,201 customers of projA with projB at https://tenure.example.com.

                                      source      target
customers                              1,200       1,201
active entitlements                       10           9
subscriptions that give access             3           3
  production                               2           2
  sandbox                                  1           1

No differences.
`);
  });

  it('lists each kind of difference', () => {
    const pro = (expires_at: number | null) => ({ lookup_key: 'pro', expires_at });
    const text = verifyText(
      report(
        [
          { id: 'a', type: 'missing_in_target', source: 'a', target: null, fixable_by_import: true },
          { id: 'b', type: 'expiry', source: pro(0), target: pro(null), fixable_by_import: true },
          { id: 'c', type: 'entitlement_extra', source: null, target: pro(0), fixable_by_import: false },
          { id: 'd', type: 'subscription_count', source: 1, target: 2, fixable_by_import: false },
          {
            id: 'e',
            type: 'balance',
            source: { code: 'GLD', balance: 1000 },
            target: { code: 'GLD', balance: 0 },
            fixable_by_import: true,
          },
        ],
        { only_in_target: ['z'], fixed: 7 },
      ),
    );
    for (const line of [
      '  a',
      '  b: pro until 1970-01-01T00:00:00.000Z at the source, pro without an end at the target',
      '  c: nothing at the source, pro until 1970-01-01T00:00:00.000Z at the target',
      '  d: 1 at the source, 2 at the target',
      '  e: 1,000 GLD at the source, 0 GLD at the target',
      '7 customers were imported again.',
      '5 differences; another import may remove 3 of them (--fix).',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('shows at most 50 of a kind', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      id: `c${index}`,
      type: 'subscription_count' as const,
      source: 1,
      target: 2,
      fixable_by_import: false,
    }));
    const lines = verifyText(report(many)).split('\n');
    expect(lines.filter((line) => line.startsWith('  c'))).toHaveLength(50);
    expect(lines).toContain('  and 10 more (--json lists them)');
    expect(lines).toContain('60 differences.');
  });
});
