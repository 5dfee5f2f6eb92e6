import { Registry } from 'prom-client';
import { ManualClock } from '../../../libs/kernel/index.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { CircuitsRepository } from './circuits/circuits.repository.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery.metrics.js';

const nowMs = 1_767_323_045_000;

const attempt = {
  attempts: 0,
  replay: false,
  isProbe: false,
  endpointFailures: 0,
  createdAt: new Date(nowMs),
};

interface DatabaseService {
  oldestDue?: () => Promise<OldestDue>;
  count?: () => Promise<{ open: number; halfOpen: number }>;
}

function metricsOf({ oldestDue, count }: DatabaseService = {}) {
  const registry = new Registry();
  const deliveries = { oldestDue: oldestDue ?? (() => Promise.resolve({ dueAt: null, queuesRead: 0 })) };
  const circuits = { count: count ?? (() => Promise.resolve({ open: 0, halfOpen: 0 })) };
  const metrics = new DeliveryMetrics(
    registry,
    deliveries as unknown as DeliveriesRepository,
    circuits as unknown as CircuitsRepository,
    new ManualClock(nowMs),
  );
  const valueOf = async (name: string): Promise<string | undefined> =>
    (await registry.metrics())
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1);
  return { metrics, valueOf };
}

describe('the age of the oldest due delivery', () => {
  it.each([
    ['due for 90 seconds', new Date(nowMs - 90_000), '90'],
    ['due in the future', new Date(nowMs + 90_000), '0'],
    ['none', null, '0'],
  ])('%s', async (_, dueAt, value) => {
    const { valueOf } = metricsOf({ oldestDue: () => Promise.resolve({ dueAt, queuesRead: 1 }) });
    expect(await valueOf('tenure_webhook_oldest_due_seconds')).toBe(value);
  });
});

describe('the number of open circuits', () => {
  it('returns that of the database, by state', async () => {
    const { valueOf } = metricsOf({ count: () => Promise.resolve({ open: 3, halfOpen: 1 }) });
    expect(await valueOf('tenure_webhook_circuits{state="open"}')).toBe('3');
    expect(await valueOf('tenure_webhook_circuits{state="half_open"}')).toBe('1');
  });
});

it('reports unknown gauges without the database, which does not hide the other metrics', async () => {
  const down = () => Promise.reject(new Error('connection refused'));
  const { valueOf } = metricsOf({ oldestDue: down, count: down });
  expect(await valueOf('tenure_webhook_oldest_due_seconds')).toBe('Nan');
  expect(await valueOf('tenure_webhook_circuits{state="open"}')).toBe('Nan');
  expect(await valueOf('tenure_webhook_attempts_total{webhook="healthy",result="delivered"}')).toBe('0');
});

describe('an attempt', () => {
  it("counts by answer, result and the endpoint's earlier state", async () => {
    const { metrics, valueOf } = metricsOf();
    metrics.attempted(attempt, nowMs, 'delivered', '200');
    metrics.attempted({ ...attempt, endpointFailures: 2 }, nowMs, 'pending', 'timeout');
    metrics.attempted({ ...attempt, endpointFailures: 9, isProbe: true }, nowMs, 'failed', '5xx');
    for (const [endpoint, result] of [
      ['healthy', 'delivered'],
      ['failing', 'retry'],
      ['probed', 'failed'],
    ]) {
      expect(await valueOf(`tenure_webhook_attempts_total{webhook="${endpoint}",result="${result}"}`)).toBe(
        '1',
      );
    }
    expect(await valueOf('tenure_webhook_answers_total{answer="timeout"}')).toBe('1');
  });

  it('measures from the recording of the event for a first attempt that is no replay', async () => {
    const { metrics, valueOf } = metricsOf();
    metrics.attempted(attempt, nowMs + 300, 'delivered', '200');
    metrics.attempted({ ...attempt, attempts: 1 }, nowMs + 300, 'delivered', '200');
    metrics.attempted({ ...attempt, replay: true }, nowMs + 300, 'delivered', '200');
    const name = 'tenure_webhook_first_attempt_delay_seconds';
    expect(await valueOf(`${name}_count{webhook="healthy"}`)).toBe('1');
    expect(await valueOf(`${name}_sum{webhook="healthy"}`)).toBe('0.3');
  });

  it('keeps delays of failing or probed endpoints out of healthy ones', async () => {
    const { metrics, valueOf } = metricsOf();
    metrics.attempted({ ...attempt, endpointFailures: 2 }, nowMs + 90_000, 'pending', 'timeout');
    metrics.attempted({ ...attempt, endpointFailures: 9, isProbe: true }, nowMs + 90_000, 'pending', '5xx');
    const counted = (webhook: string): Promise<string | undefined> =>
      valueOf(`tenure_webhook_first_attempt_delay_seconds_count{webhook="${webhook}"}`);
    expect([await counted('healthy'), await counted('failing'), await counted('probed')]).toEqual([
      '0',
      '1',
      '1',
    ]);
  });
});
