import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { Executor, Transaction } from '../../platform/database/database.service.js';
import { ErasedPurchasesRepository } from './erased-purchases.repository.js';

/** Remembers the purchases of deleted customers as hashes of their store keys. */
@Injectable()
export class ErasedPurchasesService {
  constructor(private readonly repository: ErasedPurchasesRepository) {}

  /** Call before the purchases of a customer are deleted. */
  async recordErased(
    tx: Transaction,
    { projectId, customerId }: { projectId: string; customerId: string },
    nowMs: number,
  ): Promise<void> {
    await this.repository.record(tx, projectId, customerId, new Date(nowMs));
  }

  /** Keys of the reported purchases that were erased and for which nothing was paid since. */
  async erasedKeys(
    executor: Executor,
    { projectId, environment }: { projectId: string; environment: Environment },
    purchases: VerifiedPurchase[],
  ): Promise<Set<string>> {
    if (purchases.length === 0) return new Set();
    const names = purchases.flatMap(namesOf);
    const times = await this.repository.eraseTimes(executor, projectId, environment, names);
    const isErased = (purchase: VerifiedPurchase): boolean => {
      const startMs = latestStartMs(purchase);
      return namesOf(purchase).some((name) => {
        const erasedMs = times.get(name);
        return erasedMs !== undefined && startMs <= erasedMs;
      });
    };
    return new Set(purchases.filter(isErased).map(({ key }) => key));
  }
}

function namesOf({ key, continues }: VerifiedPurchase): string[] {
  return continues === undefined ? [key] : [key, continues];
}

/** -Infinity if the report contains no period: a refund, for example. */
function latestStartMs(purchase: VerifiedPurchase): number {
  if (purchase.kind === 'one_time') {
    return purchase.observation.facts.purchase?.value.purchasedAtMs ?? -Infinity;
  }
  const periods = Object.values(purchase.observation.facts.periods);
  return Math.max(-Infinity, ...periods.map(({ value }) => value.startMs));
}
