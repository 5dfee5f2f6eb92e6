import { existsSync } from 'node:fs';
import type { X509Certificate } from 'node:crypto';
import { WorkerPool } from '../../kernel/index.js';
import { NotGenuine } from './not-genuine.js';
import { type ReadToken, readToken, type TokenApp } from './receipt-token.js';
import { receiptRoots } from './roots.js';

/** Parsing a receipt with more characters would block the event loop noticeably. */
const LARGE = 64 * 1024;

/** Exists only next to the compiled module. When running from sources (in tests), large receipts are read in place. */
const script = new URL('./receipt.worker.js', import.meta.url);

export interface ReadTask {
  token: string;
  app: TokenApp;
  nowMs: number;
}
export type ReadAnswer = { read: ReadToken } | { notGenuine: string };

export interface ReceiptReaderOptions {
  /** DER of additional roots, for tests. */
  extraRoots: Buffer[];
  workerScript?: URL;
}

/** Reads and verifies posted tokens, large ones in a worker thread. */
export class ReceiptReader {
  private readonly roots: X509Certificate[];
  private readonly pool: WorkerPool | null;

  constructor({ extraRoots, workerScript = script }: ReceiptReaderOptions) {
    this.roots = receiptRoots(extraRoots);
    this.pool = existsSync(workerScript)
      ? new WorkerPool({
          script: workerScript,
          workerData: { extraRoots },
          size: 2,
          maxWaiting: 50,
          timeLimitMs: 10_000,
          maxHeapMb: 256,
        })
      : null;
  }

  /** @throws NotGenuine; WorkNotDone if the worker pool could not finish in time */
  async read(token: string, app: TokenApp, nowMs: number): Promise<ReadToken> {
    if (token.length <= LARGE || !this.pool) return readToken(token, app, this.roots, nowMs);
    const { bundleId, xcodeCertificate, allowUnsignedReceipts } = app;
    const task: ReadTask = { token, app: { bundleId, xcodeCertificate, allowUnsignedReceipts }, nowMs };
    const answer = (await this.pool.run(task)) as ReadAnswer;
    if ('notGenuine' in answer) throw new NotGenuine(answer.notGenuine);
    return answer.read;
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }
}
