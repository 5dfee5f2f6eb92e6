import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Transaction } from '../database/database.service.js';
import { ApiError } from '../http/errors/api-error.js';
import type { IdempotencyClaim } from '../http/pipeline/request.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { answerPlace } from './secret-places.js';
import {
  type AskedRequest,
  IdempotencyKeysRepository,
  type KnownRequest,
} from './idempotency-keys.repository.js';

export interface Answer {
  status: number;
  /** JSON text; empty for a response without a body. */
  body: string;
}

/** Time during which a response is replayed. */
const KEEP_MS = 24 * 60 * 60_000;
/** Longer than any request may take, so no other attempt takes over too early. */
const LEASE_MS = 2 * 60_000;

function inFlight(): ApiError {
  return new ApiError('locked', 'The first request with this Idempotency-Key is still in progress.', {
    retryAfterS: 1,
  });
}

/** Executes requests with the same key only once, and replays the response for 24 hours. */
@Injectable()
export class IdempotentRequestsService {
  constructor(
    private readonly repository: IdempotencyKeysRepository,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts a request: returns the claim to execute it, or its earlier response.
   * @throws ApiError 409 for another request with the same key, or one whose response was lost; 423 while the first one
   * is in flight
   */
  async begin(tenantId: string, key: string, asked: AskedRequest): Promise<IdempotencyClaim | Answer> {
    const nowMs = this.clock.nowMs();
    const claim = { tenantId, key, claimId: newToken() };
    const claimed = await this.repository.claim(claim, asked, {
      now: new Date(nowMs),
      leaseUntil: new Date(nowMs + LEASE_MS),
      expiresAt: new Date(nowMs + KEEP_MS),
    });
    if (claimed) return claim;
    const known = await this.repository.find(tenantId, key);
    // It has just been released.
    if (!known) throw inFlight();
    return this.answerOf(known, claim, asked.fingerprint);
  }

  /**
   * Marks the request as executed, in the transaction that does the work. Whatever happens to this process after the
   * commit, no other attempt repeats it.
   * @throws ApiError 423 if another attempt took over, or an earlier run of this transaction did commit
   */
  async carryOut(tx: Transaction, claim: IdempotencyClaim): Promise<void> {
    if (!(await this.repository.carryOut(tx, claim))) throw inFlight();
  }

  /**
   * Stores the response, sealed because it may contain secrets. `appUserIds`: the customers it names. Within the
   * transaction that does the work, the response cannot be lost.
   */
  async finish(
    claim: IdempotencyClaim,
    { status, body }: Answer,
    appUserIds: readonly string[],
    tx?: Transaction,
  ): Promise<void> {
    const sealedBody = this.secrets.seal(body, answerPlace(claim));
    await this.repository.answer(claim, { status, sealedBody, appUserIds }, tx);
  }

  /**
   * Moves the keys of a merged customer to the remaining one, in the transaction of the merge. Their responses describe
   * the merged customer and are deleted; the requests still count as executed.
   */
  async moveCustomer(tx: Transaction, projectId: string, sourceId: string, targetId: string): Promise<void> {
    await this.repository.moveCustomer(tx, projectId, sourceId, targetId);
  }

  /** Deletes the responses that name a locked customer, in the transaction that deletes the customer. */
  async forgetCustomer(tx: Transaction, projectId: string, customerId: string): Promise<void> {
    await this.repository.forgetCustomer(tx, projectId, customerId);
  }

  /** Lets the next attempt do the work, after a response that is not final. */
  async release(claim: IdempotencyClaim): Promise<void> {
    await this.repository.release(claim);
  }

  private answerOf(known: KnownRequest, claim: IdempotencyClaim, fingerprint: Buffer): Answer {
    if (!known.fingerprint.equals(fingerprint)) {
      throw new ApiError(
        'idempotency',
        'This Idempotency-Key was used before with another body, path or credential.',
      );
    }
    if (known.status !== null && known.sealedBody !== null) {
      return { status: known.status, body: this.secrets.open(known.sealedBody, answerPlace(claim)) };
    }
    if (known.isHeld || !known.carriedOut) throw inFlight();
    throw new ApiError(
      'idempotency',
      'The first request with this Idempotency-Key was executed, but its response was lost. Read the object instead.',
    );
  }
}
