import { Worker } from 'node:worker_threads';

/** The queue is full, the task took too long, its thread failed, or the pool is closed. */
export class WorkNotDone extends Error {}

export interface WorkerPoolOptions {
  /** A module that answers each message with one message. */
  script: URL;
  workerData: unknown;
  /** Maximum number of threads. Each starts on first use and then stays alive. */
  size: number;
  maxWaiting: number;
  /** Time limit of one task. A task that exceeds it is terminated with its thread. */
  timeLimitMs: number;
  maxHeapMb: number;
}

interface Job {
  task: unknown;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  timer?: NodeJS.Timeout;
}

/** Threads for work that would block the event loop. An idle pool does not prevent the process from exiting. */
export class WorkerPool {
  private readonly threads = new Set<Thread>();
  private readonly waiting: Job[] = [];
  private isClosed = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  /** @throws WorkNotDone */
  run(task: unknown): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new WorkNotDone('The worker pool is closed.'));
    if (this.waiting.length >= this.options.maxWaiting) {
      return Promise.reject(new WorkNotDone('Too many tasks wait for a worker.'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, resolve, reject });
      this.next();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.waiting.splice(0)) reject(new WorkNotDone('The worker pool is closed.'));
    await Promise.all([...this.threads].map((thread) => this.end(thread, 'The worker pool is closed.')));
  }

  private next(): void {
    const job = this.waiting[0];
    if (!job || this.isClosed) return;
    const idle = [...this.threads].find((thread) => thread.job === null);
    const thread = idle ?? (this.threads.size < this.options.size ? this.start() : null);
    if (!thread) return;
    this.waiting.shift();
    thread.job = job;
    thread.timer = setTimeout(
      () => void this.end(thread, 'The task took too long.'),
      this.options.timeLimitMs,
    );
    thread.worker.postMessage(job.task);
  }

  private start(): Thread {
    const { script, workerData, maxHeapMb } = this.options;
    const worker = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    const thread: Thread = { worker, job: null };
    this.threads.add(thread);
    worker.unref();
    worker.on('message', (answer) => {
      const { job } = thread;
      clearTimeout(thread.timer);
      thread.job = null;
      job?.resolve(answer);
      this.next();
    });
    // Out of memory or an uncaught error: the task failed, and the next one runs in a new thread.
    worker.on('error', (error) => void this.end(thread, `The worker failed: ${error.message}`));
    worker.on('exit', () => void this.end(thread, 'The worker ended.'));
    return thread;
  }

  private async end(thread: Thread, reason: string): Promise<void> {
    if (!this.threads.delete(thread)) return;
    clearTimeout(thread.timer);
    thread.job?.reject(new WorkNotDone(reason));
    thread.job = null;
    await thread.worker.terminate();
    this.next();
  }
}
