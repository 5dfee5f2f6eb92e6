import type { Worker } from 'node:cluster';
import { jest } from '@jest/globals';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { WorkersMetrics } from './cluster-metrics.js';

interface Question {
  type: string;
  id: number;
}

/** A process with its own metrics, as its primary sees it. */
class FakeWorker {
  readonly registry = new Registry();
  readonly requests = new Counter({ name: 'requests_total', help: 'r', registers: [this.registry] });
  readonly age = new Gauge({ name: 'age', help: 'a', aggregator: 'max', registers: [this.registry] });
  readonly ready = new Gauge({ name: 'ready', help: 'y', aggregator: 'min', registers: [this.registry] });
  readonly took = new Histogram({ name: 'took', help: 't', buckets: [1], registers: [this.registry] });
  answers = true;

  constructor(private readonly primary: WorkersMetrics) {}

  get worker(): Worker {
    return this as unknown as Worker;
  }

  isConnected(): boolean {
    return true;
  }

  send(question: Question): void {
    if (!this.answers) return;
    void this.registry.getMetricsAsJSON().then((metrics) => {
      this.primary.receive(this.worker, { ...question, metrics });
    });
  }
}

describe('metrics of several processes', () => {
  let primary: WorkersMetrics;
  let first: FakeWorker;
  let second: FakeWorker;

  beforeEach(() => {
    jest.useFakeTimers();
    primary = new WorkersMetrics();
    [first, second] = [new FakeWorker(primary), new FakeWorker(primary)];
    for (const { worker } of [first, second]) primary.add(worker);
    first.requests.inc(3);
    second.requests.inc(4);
    first.age.set(10);
    second.age.set(70);
    second.took.observe(0.5);
  });

  afterEach(() => jest.useRealTimers());

  async function samples(): Promise<Record<string, string>> {
    const text = primary.text();
    await jest.advanceTimersByTimeAsync(3_000);
    const lines = (await text).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
  }

  it('sums counts and takes the worst age', async () => {
    expect(await samples()).toMatchObject({ requests_total: '7', age: '70', took_count: '1' });
  });

  it('reports ready while all of them are', async () => {
    for (const { ready } of [first, second]) ready.set(1);
    expect(await samples()).toMatchObject({ ready: '1' });
    second.ready.set(0);
    expect(await samples()).toMatchObject({ ready: '0' });
  });

  it('keeps the counts of a process that ended, and adds those of its successor', async () => {
    await samples();
    primary.remove(second.worker);
    expect(await samples()).toMatchObject({
      requests_total: '7',
      age: '10',
      took_count: '1',
      'took_bucket{le="+Inf"}': '1',
    });
    const successor = new FakeWorker(primary);
    primary.add(successor.worker);
    successor.requests.inc(5);
    successor.took.observe(2);
    expect(await samples()).toMatchObject({ requests_total: '12', took_count: '2', took_sum: '2.5' });
    primary.remove(successor.worker);
    primary.remove(first.worker);
    expect(await samples()).toMatchObject({ requests_total: '12', took_count: '2' });
  });

  it('reports those of the others, and the last counts of one that does not answer', async () => {
    await samples();
    second.answers = false;
    first.requests.inc();
    expect(await samples()).toMatchObject({ requests_total: '8', age: '10' });
    second.answers = true;
    second.requests.inc();
    expect(await samples()).toMatchObject({ requests_total: '9', age: '70' });
  });

  it('uses what one of them could read where another one could not', async () => {
    second.age.set(NaN);
    expect(await samples()).toMatchObject({ age: '10' });
    first.age.set(NaN);
    expect(await samples()).toMatchObject({ age: 'Nan' });
  });

  it('leaves out a process that does not serve yet', async () => {
    new FakeWorker(primary).requests.inc(100);
    expect(await samples()).toMatchObject({ requests_total: '7' });
  });
});
