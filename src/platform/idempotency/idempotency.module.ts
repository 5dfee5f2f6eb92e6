import { Global, Module } from '@nestjs/common';
import { IdempotencyCleanup } from './idempotency-cleanup.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequests } from './idempotent-requests.js';

/** Requests under an `Idempotency-Key`; global, because every feature that writes has them. */
@Global()
@Module({
  providers: [IdempotencyCleanup, IdempotencyKeysRepository, IdempotentRequests],
  exports: [IdempotentRequests],
})
export class IdempotencyModule {}
