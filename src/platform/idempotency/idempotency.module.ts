import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyCleanupJob } from './idempotency-cleanup.job.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

/** Requests with an `Idempotency-Key`. Global, because every feature with writes uses it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyCleanupJob, IdempotencyKeysRepository, IdempotentRequestsService],
  exports: [IdempotentRequestsService],
})
export class IdempotencyModule {}
