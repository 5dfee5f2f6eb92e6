import { jest } from '@jest/globals';
import { TestRuntime } from '../../../test/support/import-bench.js';
import { noCatalogCounts } from '../catalog/catalog-run.js';
import { redacted } from '../http/redacted.js';
import { Progress, progressLine } from './progress.js';
import { reportText } from './report-text.js';
import type { ImportReport } from './report.model.js';

const report: ImportReport = {
  kind: 'import',
  version: 1,
  dry_run: false,
  source: { project: 'proj1' },
  target: { url: 'https://tenure.example.com', project: 'proj2' },
  pass: 2,
  complete: true,
  started_at: 1,
  finished_at: 2,
  catalog: noCatalogCounts(),
  public_keys: { set: 1, kept: 2, failed: 3 },
  customers: { read: 9, created: 4, updated: 3, merged: 2, gone: 1, failed: 120, found_by_catch_up: 5 },
  subscriptions: 6,
  purchases: 7,
  transactions: 8,
  balances: 9,
  needs_token_refresh: 10,
  unconfirmed_original_ids: 11,
  google_tokens: { rows: 3, used: 2, unmatched: 1 },
  credentials_missing: [{ app_id: 'app1', name: 'iOS', type: 'app_store' }],
  skipped: [],
  notes: [],
  errors: Array.from({ length: 120 }, (_, index) => ({ id: `user-${index}`, message: 'refused' })),
  requests: { source: 1, target: 2, rate_limited_seconds: 3 },
};

describe('what an import says', () => {
  it('prints a report in sections of at most fifty lines', () => {
    const text = reportText(report);
    expect(text).toMatch(/^Import finished\. Pass 2: proj1 to proj2 at https:\/\/tenure\.example\.com\n/);
    expect(text).toContain('Store credentials to enter\n  app1 app_store iOS\n');
    expect(text).toContain('token file: 3 rows, 2 used, 1 matched nothing');
    expect(text).toContain('  user-48: refused\n  … and 71 more\n');
    expect(text).not.toContain('Left out');
    expect(text).toContain('Not carried over: store credentials');
    expect(reportText({ ...report, dry_run: true })).toMatch(/^Dry run: nothing was written\./);
    expect(reportText({ ...report, complete: false })).toMatch(/^Import not finished\./);
  });

  it('prints a line of progress with what is known', () => {
    const values = { phase: 'customers', read: 12_400, expected: 32_000, pausedMs: 11_500 };
    expect(progressLine(values, 96)).toBe(
      'customers 12,400 of ~32,000  38 %  96/min  waiting 12 s (rate limit)  about 3 h 24 min left',
    );
    expect(progressLine({ ...values, expected: null, pausedMs: 0 }, 0)).toBe('customers 12,400');
    expect(progressLine({ ...values, expected: 900_000, pausedMs: 0 }, 100)).toMatch(/about 6 days left$/);
  });

  it('replaces its line on a terminal, and does not let a warning break into it', () => {
    jest.useFakeTimers();
    try {
      const runtime = new TestRuntime(0);
      runtime.isTerminal = true;
      const values = { phase: 'customers', read: 0, expected: null, pausedMs: 0 };
      const progress = new Progress(runtime, false, () => values);
      progress.begin();
      jest.advanceTimersByTime(1000);
      progress.warn('careful');
      progress.end();
      expect(runtime.errors).toBe('\r\u001b[Kcustomers 0\ncareful\n');
      const plain = new TestRuntime(0);
      const lines = new Progress(plain, false, () => values);
      lines.begin();
      jest.advanceTimersByTime(120_000);
      lines.end();
      expect(plain.errors).toBe('customers 0\ncustomers 0\n');
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows a server text on one line and without keys', () => {
    expect(redacted('a\r\n\tb sk_abcdefgh atk_12345678 key', 'key')).toBe('a b sk_*** atk_*** ***');
    expect(redacted('x'.repeat(1000))).toHaveLength(500);
  });
});
