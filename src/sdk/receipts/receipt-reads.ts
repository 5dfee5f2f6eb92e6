import { Injectable } from '@nestjs/common';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
} from '../../../libs/stores/index.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { CredentialHealth } from '../../stores/shared/credential-health.js';
import type { StoreConnections } from '../../stores/shared/store-connections.js';
import { verificationError } from '../../stores/shared/verification-error.js';

type StoreAnswer = Verified | VerificationFailure;

/** Asks stores about receipts, and notes whether their credentials worked. */
@Injectable()
export class ReceiptReads {
  private readonly running = new Map<string, Promise<StoreAnswer>>();

  constructor(
    private readonly credentials: CredentialHealth,
    private readonly lookups: PurchaseLookupsService,
  ) {}

  /**
   * Null for a known purchase that is over for good at its store. `key` names equal receipts.
   * @throws ApiError for a receipt that the store refuses, or when it cannot be asked
   */
  async read(
    adapter: StoreAdapter,
    caller: Awaited<ReturnType<StoreConnections['adapterOf']>>['caller'],
    projectId: string,
    receipt: PostedReceipt,
    key: () => string,
    context: StoreContext,
  ): Promise<Verified | null> {
    const ask = (): Promise<StoreAnswer> => adapter.verify(receipt, context);
    const result = await (adapter.store === 'test_store' ? ask() : this.share(key(), ask));
    await this.credentials.note(caller, adapter.store, result);
    if (result.failure === 'permanent' && result.isOver) {
      const known = await this.lookups.knownAs(projectId, adapter.store, receipt.fetchToken);
      if (known !== null) return null;
    }
    if (result.failure !== null) throw verificationError(result);
    return result;
  }

  /**
   * Equal receipts that arrive while the store is being asked about one of them share its answer. Only saves calls:
   * each is recorded by itself, as if it had asked.
   */
  share(key: string, read: () => Promise<StoreAnswer>): Promise<StoreAnswer> {
    const running = this.running.get(key);
    if (running) return running;
    const started = read().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
