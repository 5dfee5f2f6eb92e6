import type { App } from '../../catalog/apps/app.entity.js';
import { outsideReportsOf } from '../../catalog/apps/external-purchase-reports.js';
import type { WaitingReports } from '../../purchases/external-reports/external-purchase-reports.repository.js';

type WaitingState = WaitingReports['state'];

/** One and several reports in a state. */
const texts: Record<WaitingState, [one: string, several: string]> = {
  due: ['has not reached its store for 20 hours.', 'have not reached their store for 20 hours.'],
  needs_token: [
    'needs another token: bind one to the purchase.',
    'need another token: bind one to the purchase.',
  ],
  needs_tax: [
    'needs a tax: set outside_purchase_tax_rates, or restate it.',
    'need a tax: set outside_purchase_tax_rates, or restate them.',
  ],
  needs_data: ['waits for data: see its reason.', 'wait for data: see their reasons.'],
  manual: [
    'of the last 30 days must be made by hand: the store has no call for it.',
    'of the last 30 days must be made by hand: the store has no call for them.',
  ],
};

/** Explains why reports about outside purchases are not sent. Empty while reporting is off. */
export function reportHints({ storeSettings }: App, waiting: readonly WaitingReports[]): string[] {
  if (outsideReportsOf(storeSettings).enabled !== true) return [];
  return waiting.map(({ state, count }) =>
    count === 1
      ? `A report about an outside purchase ${texts[state][0]}`
      : `${count} reports about outside purchases ${texts[state][1]}`,
  );
}
