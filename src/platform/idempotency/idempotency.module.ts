import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

/** Requests with an `Idempotency-Key`. Global, because every feature with writes uses it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyKeysRepository, IdempotentRequestsService],
  exports: [IdempotentRequestsService],
})
export class IdempotencyModule {}
