import { effectiveFacts } from '../../../../libs/engine/index.js';
import type { ImportedSubscriptionDto, ImportedTransactionDto } from '../imported-subscription.dto.js';
import { readSubscription } from './imported-subscription.policy.js';

const DAY = 86_400_000;
const NOW = 100 * DAY;

function read(
  more: Partial<ImportedSubscriptionDto>,
  transaction: Omit<ImportedTransactionDto, 'id' | 'purchased_at'>,
) {
  const item: ImportedSubscriptionDto = {
    app_id: 'app1',
    store: 'app_store',
    product_identifier: 'pro',
    starts_at: 90 * DAY,
    current_period_starts_at: 90 * DAY,
    current_period_ends_at: 120 * DAY,
    status: 'active',
    auto_renewal_status: 'will_renew',
    store_subscription_identifier: '1',
    original_transaction_id: '1',
    transactions: [{ id: '1', purchased_at: 90 * DAY, ...transaction }],
    ...more,
  };
  const { facts } = readSubscription(item, { asOfMs: NOW, holdDays: 60, durationOf: () => null });
  const { periods, ends } = effectiveFacts(facts);
  const { endMs } = periods['1']?.value ?? {};
  return { endMs, graceMs: ends?.['1']?.grace?.value, expiredMs: ends?.['1']?.expired?.value };
}

describe('an imported subscription', () => {
  it('counts as paid until the end of its transaction, whatever the end of its period', () => {
    const later = read({}, { expires_at: 125 * DAY });
    expect(later).toEqual({ endMs: 125 * DAY });
    expect(read({}, {})).toEqual({ endMs: 120 * DAY });
  });

  it('gives access until the end of its period, if its transaction ends earlier', () => {
    expect(read({}, { expires_at: 118 * DAY })).toEqual({ endMs: 118 * DAY, graceMs: 120 * DAY });
    const grace = read({ status: 'in_grace_period' }, { expires_at: 98 * DAY });
    expect(grace).toEqual({ endMs: 98 * DAY });
  });

  it('ends with its transaction, not with the start of its period', () => {
    const over = { status: 'expired', current_period_ends_at: 105 * DAY };
    expect(read(over, { expires_at: 99 * DAY })).toEqual({ endMs: 99 * DAY });
  });
});
