import { Injectable } from '@nestjs/common';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
} from '../../../libs/stores/index.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import type { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';
import { verificationError } from '../../stores/shared/verification-error.js';

type StoreAnswer = Verified | VerificationFailure;

/** Queries stores about receipts, and records whether the credentials worked. */
@Injectable()
export class ReceiptReadsService {
  private readonly running = new Map<string, Promise<StoreAnswer>>();

  constructor(
    private readonly credentials: CredentialHealthService,
    private readonly lookups: PurchaseLookupsService,
  ) {}

  /**
   * Null for a known purchase that has ended permanently at its store. Equal receipts have the same `key`.
   * @throws ApiError if the store refuses the receipt or cannot be reached
   */
  async read(
    adapter: StoreAdapter,
    caller: Awaited<ReturnType<StoreConnectionsService['adapterOf']>>['caller'],
    projectId: string,
    receipt: PostedReceipt,
    key: () => string,
    context: StoreContext,
  ): Promise<Verified | null> {
    const ask = (): Promise<StoreAnswer> => adapter.verify(receipt, context);
    const result = await (adapter.store === 'test_store' ? ask() : this.share(key(), ask));
    await this.credentials.recordResult(caller, adapter.store, result);
    if (result.failure === 'permanent' && result.isOver) {
      const known = await this.lookups.knownAs(projectId, adapter.store, receipt.fetchToken);
      if (known !== null) return null;
    }
    if (result.failure !== null) throw verificationError(result);
    return result;
  }

  /** Concurrent equal receipts share one store call. Each is still recorded separately. */
  share(key: string, read: () => Promise<StoreAnswer>): Promise<StoreAnswer> {
    const running = this.running.get(key);
    if (running) return running;
    const started = read().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
