import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { within } from '../../../libs/kernel/index.js';

/** Longer than the time limit of a gauge that queries the database. */
const WORKER_WITHIN_MS = 3_000;
const PRIMARY_WITHIN_MS = 5_000;

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

type Message =
  /** The primary asks a worker for its own metrics. */
  | { type: 'tenure:own-metrics'; id: number; metrics?: Metrics }
  /** A worker asks the primary for everyone's metrics as text. */
  | { type: 'tenure:all-metrics'; id: number; text?: string };

function isMessage<Type extends Message['type']>(
  message: unknown,
  type: Type,
): message is Extract<Message, { type: Type }> {
  return (message as Message | null)?.type === type;
}

class Questions<Answer> {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  /** Returns null if the answer does not arrive in time. */
  async ask(send: (id: number) => void, withinMs: number): Promise<Answer | null> {
    const id = this.asked++;
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    send(id);
    try {
      return await within(answer, withinMs, null);
    } finally {
      this.waiting.delete(id);
    }
  }

  answered(id: number, answer: Answer): void {
    this.waiting.get(id)?.(answer);
  }
}

/** Drops values that one process could not read (NaN) if another could, because NaN would win in a maximum. */
function known(all: Metrics[]): Metrics[] {
  const keyOf = (name: string, { labels }: { labels: object }): string => name + JSON.stringify(labels);
  const reported = new Set<string>();
  for (const { name, values } of all.flat()) {
    for (const sample of values) if (!Number.isNaN(sample.value)) reported.add(keyOf(name, sample));
  }
  const isKept = (name: string, sample: Metrics[number]['values'][number]): boolean =>
    !Number.isNaN(sample.value) || !reported.has(keyOf(name, sample));
  return all.map((metrics) =>
    metrics.map((metric) => ({
      ...metric,
      values: metric.values.filter((sample) => isKept(metric.name, sample)),
    })),
  );
}

function merged(all: Metrics[]): Registry {
  return AggregatorRegistry.aggregate(known(all));
}

/** Metrics that only grow, and therefore still count after their process has ended. */
function totals(metrics: Metrics): Metrics {
  // Widened, because the enumeration exists only in the types.
  return metrics.filter(({ type }: { type: unknown }) => type === 'counter' || type === 'histogram');
}

/** The metrics of all workers, in their primary process. */
export class WorkersMetrics {
  private readonly questions = new Questions<Metrics>();
  /** Running workers with the last metrics they sent. */
  private readonly latest = new Map<Worker, Metrics>();
  /** Totals of workers that have ended. */
  private past: Metrics = [];

  add(worker: Worker): void {
    this.latest.set(worker, []);
  }

  /** Removes a worker that has ended. Counts since its last answer are lost. */
  remove(worker: Worker): void {
    const reported = totals(this.latest.get(worker) ?? []);
    this.latest.delete(worker);
    if (reported.length === 0) return;
    const sums = merged([this.past, reported]).getMetricsAsArray();
    // An aggregated metric is computed synchronously.
    this.past = sums.map((metric) => (metric as unknown as { get(): Metrics[number] }).get());
  }

  receive(worker: Worker, message: unknown): void {
    if (isMessage(message, 'tenure:own-metrics') && message.metrics) {
      if (this.latest.has(worker)) this.latest.set(worker, message.metrics);
      this.questions.answered(message.id, message.metrics);
    }
    if (!isMessage(message, 'tenure:all-metrics')) return;
    void this.text().then((text) => {
      if (worker.isConnected()) worker.send({ ...message, text });
    });
  }

  /** Returns the Prometheus text format. A worker that does not respond contributes its last totals but no gauges. */
  async text(): Promise<string> {
    const reported = new Set<Worker>();
    await Promise.all(
      [...this.latest.keys()].map(async (worker) => {
        if (await this.ask(worker)) reported.add(worker);
      }),
    );
    const present = [...this.latest].map(([worker, metrics]) =>
      reported.has(worker) ? metrics : totals(metrics),
    );
    return merged([...present, this.past]).metrics();
  }

  private async ask(worker: Worker): Promise<boolean> {
    if (!worker.isConnected()) return false;
    const question = (id: number): void =>
      void worker.send({ type: 'tenure:own-metrics', id } satisfies Message, () => undefined);
    return (await this.questions.ask(question, WORKER_WITHIN_MS)) !== null;
  }
}

/** The metrics of one endpoint in the Prometheus text format: of this process, or of all that share its port. */
export class ProcessMetrics {
  private readonly questions = new Questions<string>();

  constructor(private readonly registry: Registry) {
    if (!cluster.isWorker) return;
    process.on('message', (message) => {
      if (isMessage(message, 'tenure:own-metrics')) void this.sendOwn(message.id);
      if (isMessage(message, 'tenure:all-metrics')) this.questions.answered(message.id, message.text ?? '');
    });
  }

  async text(): Promise<string> {
    if (!cluster.isWorker) return this.registry.metrics();
    const question = (id: number): void => this.send({ type: 'tenure:all-metrics', id });
    return (await this.questions.ask(question, PRIMARY_WITHIN_MS)) ?? this.registry.metrics();
  }

  private async sendOwn(id: number): Promise<void> {
    this.send({ type: 'tenure:own-metrics', id, metrics: await this.registry.getMetricsAsJSON() });
  }

  private send(message: Message): void {
    // Without a primary this process is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}
