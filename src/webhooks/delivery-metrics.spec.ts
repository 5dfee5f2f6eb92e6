import { Registry } from 'prom-client';
import { ManualClock } from '../../libs/kernel/index.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';

const nowMs = 1_767_323_045_000;

/** The value that a scrape shows for the age of the oldest due delivery. */
async function scrape(oldestDue: () => Promise<Date | null>): Promise<string | undefined> {
  const registry = new Registry();
  new DeliveryMetrics(registry, { oldestDue } as DeliveriesRepository, new ManualClock(nowMs));
  return /^tenure_webhook_oldest_due_seconds (.*)$/m.exec(await registry.metrics())?.[1];
}

describe('the age of the oldest due delivery', () => {
  it.each([
    ['due for 90 seconds', new Date(nowMs - 90_000), '90'],
    ['due in the future', new Date(nowMs + 90_000), '0'],
    ['none', null, '0'],
  ])('%s', async (_, dueAt, value) => {
    expect(await scrape(() => Promise.resolve(dueAt))).toBe(value);
  });

  it('is unknown without the database, which does not hide the other metrics', async () => {
    expect(await scrape(() => Promise.reject(new Error('connection refused')))).toBe('Nan');
  });
});
