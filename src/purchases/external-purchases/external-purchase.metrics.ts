import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { IgnoredId } from './token-binding.policy.js';

@Injectable()
export class ExternalPurchaseMetrics {
  private readonly conflicts: Counter;

  constructor(registry: Registry) {
    this.conflicts = new Counter({
      name: 'tenure_external_purchase_token_conflicts_total',
      help: 'Tokens of outside purchases that were posted twice with different content, and ids in purchases that fit no token.',
      labelNames: ['reason'],
      registers: [registry],
    });
  }

  conflict(reason: 'posted_twice' | IgnoredId): void {
    this.conflicts.inc({ reason });
  }
}
