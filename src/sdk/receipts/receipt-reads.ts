import { Injectable } from '@nestjs/common';
import type { VerificationFailure, Verified } from '../../../libs/stores/index.js';

type StoreAnswer = Verified | VerificationFailure;

/**
 * Equal receipts that arrive while the store is being asked about one of them share its answer. Only saves calls: each
 * is recorded by itself, as if it had asked.
 */
@Injectable()
export class ReceiptReads {
  private readonly running = new Map<string, Promise<StoreAnswer>>();

  share(key: string, read: () => Promise<StoreAnswer>): Promise<StoreAnswer> {
    const running = this.running.get(key);
    if (running) return running;
    const started = read().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
