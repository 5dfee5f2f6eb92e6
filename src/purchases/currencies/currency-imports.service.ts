import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { BalancesRepository, type NewLot } from './balances.repository.js';
import {
  CurrencyImportsRepository,
  type CustomerLot,
  type ImportedMovement,
} from './currency-imports.repository.js';
import { balanceOf, spend } from './lots.js';
import { MAX_BALANCE } from './virtual-currency.dto.js';

/** A balance as reported by another system. */
export interface ImportedBalance {
  customerId: string;
  /** The customer's id in the other system. */
  sourceId: string;
  code: string;
  stated: number;
}

/** Imports balances from another system. Each import applies the difference from the last, so spending persists. */
@Injectable()
export class CurrencyImportsService {
  constructor(
    private readonly repository: CurrencyImportsRepository,
    private readonly balances: BalancesRepository,
  ) {}

  /** The customers must be locked. */
  async move(tx: Transaction, projectId: string, imported: ImportedBalance[], nowMs: number): Promise<void> {
    if (imported.length === 0) return;
    const customerIds = [...new Set(imported.map(({ customerId }) => customerId))];
    const known = await this.repository.lastStated(tx, projectId, customerIds);
    const before = new Map(known.map(({ sourceKey, code, stated }) => [`${sourceKey} ${code}`, stated]));
    const moved = imported
      .map((balance) => ({ ...balance, sourceKey: `import:${balance.sourceId}` }))
      .filter(({ sourceKey, code, stated }) => (before.get(`${sourceKey} ${code}`) ?? 0) !== stated);
    if (moved.length === 0) return;
    const lots = await this.repository.lots(tx, projectId, customerIds, nowMs);
    const changed = new Map<string, CustomerLot>();
    const added: NewLot[] = [];
    const movements: ImportedMovement[] = [];
    for (const { customerId, code, stated, sourceKey } of moved) {
      const own = lots.filter((lot) => lot.customerId === customerId && lot.code === code);
      const balance = balanceOf(own);
      const wanted = stated - (before.get(`${sourceKey} ${code}`) ?? 0);
      const amount = Math.max(-balance, Math.min(wanted, MAX_BALANCE - balance));
      const id = newId('currencyTransaction', nowMs);
      movements.push({ customerId, id, code, amount, sourceKey, stated });
      for (const { id: lotId, remaining } of amount < 0 ? (spend(own, -amount) ?? []) : []) {
        const lot = own.find((one) => one.id === lotId);
        if (!lot) continue;
        lot.remaining = remaining;
        changed.set(`${customerId} ${code} ${lotId}`, lot);
      }
      if (amount > 0) {
        added.push({ customerId, id, code, amount, expiresAtMs: null, sourceKey: null });
        lots.push({ customerId, id, code, remaining: amount, expiresAtMs: null });
      }
    }
    if (changed.size > 0) await this.repository.setRemaining(tx, projectId, [...changed.values()]);
    if (added.length > 0) await this.balances.addLots(tx, projectId, added, nowMs);
    await this.repository.addMovements(tx, projectId, movements, nowMs);
  }
}
