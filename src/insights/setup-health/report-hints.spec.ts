import type { App } from '../../catalog/apps/app.entity.js';
import { reportHints } from './report-hints.js';

const enabled = { storeSettings: { external_transaction_reports: { enabled: true } } } as App;

describe('hints about reports of outside purchases', () => {
  it('names how many reports wait for what', () => {
    const waiting = [
      { appId: 'app', state: 'needs_token', count: 1 },
      { appId: 'app', state: 'manual', count: 2 },
    ] as const;
    expect(reportHints(enabled, waiting)).toEqual([
      'A report about an outside purchase needs another token: bind one to the purchase.',
      '2 reports about outside purchases of the last 30 days must be made by hand: the store has no call for them.',
    ]);
  });

  it('says nothing while reporting is off', () => {
    const waiting = [{ appId: 'app', state: 'due', count: 1 }] as const;
    expect(reportHints({ storeSettings: {} } as App, waiting)).toEqual([]);
    const apple = { storeSettings: { external_purchase_reports: { enabled: true } } } as App;
    expect(reportHints(apple, waiting)).toHaveLength(1);
  });
});
