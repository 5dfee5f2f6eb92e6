import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** What a worker asks the primary process, and what it is answered. */
interface MetricsMessage {
  type: 'tenure:metrics';
  id: number;
  /** Null in questions, and where the workers did not answer in time. */
  text: string | null;
}

function isMetricsMessage(message: unknown): message is MetricsMessage {
  return (message as MetricsMessage | null)?.type === 'tenure:metrics';
}

/** Answers, in the primary process, workers that ask for the metrics of all of them. */
export function answerWorkersMetrics(): void {
  const workers = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isMetricsMessage(message)) return;
    const answer = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ ...message, text });
    };
    workers.clusterMetrics().then(answer, () => answer(null));
  });
}

/**
 * The metrics that one address tells, in the text format of Prometheus: those of this process, or of all processes
 * that share its port.
 */
export class ProcessMetrics {
  private readonly waiting = new Map<number, (text: string | null) => void>();
  private asked = 0;

  constructor(private readonly registry: Registry) {
    if (!cluster.isWorker) return;
    // Its constructor makes this process answer the primary.
    new AggregatorRegistry();
    AggregatorRegistry.setRegistries(registry);
    process.on('message', (message) => {
      if (!isMetricsMessage(message)) return;
      this.waiting.get(message.id)?.(message.text);
      this.waiting.delete(message.id);
    });
  }

  /** @throws Error when processes that share the port do not answer */
  async text(): Promise<string> {
    if (!cluster.isWorker) return this.registry.metrics();
    const id = this.asked++;
    const text = await new Promise<string | null>((resolve) => {
      this.waiting.set(id, resolve);
      process.send?.({ type: 'tenure:metrics', id, text: null } satisfies MetricsMessage);
    });
    if (text === null) throw new Error('The other processes did not tell their metrics in time');
    return text;
  }
}
