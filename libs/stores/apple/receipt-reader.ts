import { existsSync } from 'node:fs';
import type { X509Certificate } from 'node:crypto';
import { WorkerPool } from '../../kernel/index.js';
import { NotGenuine } from './not-genuine.js';
import { type ReadToken, readToken, type TokenApp } from './receipt-token.js';
import { receiptRoots } from './roots.js';

/** Above this many characters a receipt would hold the event loop noticeably. */
const LARGE = 64 * 1024;

/** Beside the compiled module. Where the sources run (in tests) there is none, and large receipts are read in place. */
const script = new URL('./receipt.worker.js', import.meta.url);

/** What the worker is asked, and what it answers. */
export interface ReadTask {
  token: string;
  app: TokenApp;
  nowMs: number;
}
export type ReadAnswer = { read: ReadToken } | { notGenuine: string };

export interface ReceiptReaderOptions {
  /** DER of further roots, beside Apple's own. Only tests have any. */
  extraRoots: Buffer[];
  workerScript?: URL;
}

/** Reads and verifies posted tokens; the large ones in a thread of their own. */
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

  /**
   * @throws NotGenuine when the token is nothing that the App Store gives out, or not genuine
   * @throws WorkNotDone when there was no time to find out
   */
  async read(token: string, app: TokenApp, nowMs: number): Promise<ReadToken> {
    if (token.length <= LARGE || !this.pool) return readToken(token, app, this.roots, nowMs);
    const { bundleId, xcodeCertificate, allowUnsignedReceipts } = app;
    const task: ReadTask = { token, app: { bundleId, xcodeCertificate, allowUnsignedReceipts }, nowMs };
    const answer = (await this.pool.run(task)) as ReadAnswer;
    if ('notGenuine' in answer) throw new NotGenuine(answer.notGenuine);
    return answer.read;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.pool?.close();
  }
}
