import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyCleanup } from './idempotency-cleanup.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequests } from './idempotent-requests.js';

/** Requests with an `Idempotency-Key`. Global, because every feature that writes has them. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyCleanup, IdempotencyKeysRepository, IdempotentRequests],
  exports: [IdempotentRequests],
})
export class IdempotencyModule {}
