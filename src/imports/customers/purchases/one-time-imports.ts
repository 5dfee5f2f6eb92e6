import { importOneTime, newOneTimePurchase } from '../../../../libs/engine/index.js';
import { newId } from '../../../../libs/kernel/index.js';
import { isOf, oneTimeOf } from '../../../customers/customers/customer-info/customer-purchases.js';
import {
  type CustomerRow,
  type OneTimeRow,
  timeOf,
} from '../../../customers/customers/identity/customer-state.js';
import type { ChangeBuilder } from '../../../purchases/recording/change-builder.js';
import type { Found, ImportScope, ItemTarget } from '../import-scope.js';
import { isRecordable, resolvedPurchase } from './imported-items.js';
import type { ImportedPurchaseDto } from '../imported-purchase.dto.js';
import { readPurchase } from './imported-purchase.policy.js';

/** Adds the one-time purchases of items to a change. All customers who own any of them must be locked. */
export class OneTimeImports {
  constructor(
    private readonly change: ChangeBuilder,
    private readonly scope: ImportScope,
    /** Their purchases are updated as items are added. */
    private readonly customers: readonly CustomerRow[],
  ) {}

  /** Returns whether the item is now recorded for the customer. */
  add(given: ImportedPurchaseDto, { customer, path, notes }: ItemTarget): boolean {
    const { catalog, resolutions, asOfMs, emits, nowMs: realMs } = this.scope;
    const item = resolvedPurchase(given, resolutions);
    const note = resolutions.get(given)?.note;
    if (note !== undefined) notes.add(path, note);
    if (!isRecordable(item, path, catalog, notes)) return false;
    const { app_id: appId, product_identifier: product } = item;
    if (!catalog.productOf(appId, product)) notes.add(path, `the product "${product}" is not in the catalog`);
    const read = readPurchase(item, asOfMs);
    const found = this.oneTimeOf(read.purchaseKey, read.names, item);
    if (found && found.owner !== customer) {
      notes.add(path, `stays with its present owner ${found.owner.originalAppUserId}`);
      return false;
    }
    const nowMs = timeOf(customer, realMs);
    const { store, environment, purchaseKey } = read;
    const identity = { id: newId('purchase', realMs), store, environment, purchaseKey };
    const isTokenNew =
      found &&
      item.purchase_token !== undefined &&
      (found.row.facts as { purchase: unknown }).purchase === null;
    const purchase = found
      ? { ...oneTimeOf(found.row), ...(isTokenNew && { purchaseKey }) }
      : newOneTimePurchase(identity);
    const applied = importOneTime(purchase, read.imported, nowMs, { emits });
    if (applied.changed || (found && purchase.purchaseKey !== found.row.purchaseKey)) {
      this.change.addOneTime(applied, { customer, appId, seenAs: customer.originalAppUserId });
    }
    return true;
  }

  private oneTimeOf(key: string, names: string[], item: ImportedPurchaseDto): Found<OneTimeRow> | undefined {
    const place = { store: item.store, environment: item.environment ?? 'production' };
    const all = this.customers.flatMap((owner) =>
      owner.purchases.filter((row) => isOf(row, place)).map((row) => ({ row, owner })),
    );
    return (
      all.find(({ row }) => row.purchaseKey === key) ??
      all.find(({ row }) => names.includes(transactionOf(row) ?? ''))
    );
  }
}

function transactionOf({ facts }: OneTimeRow): string | undefined {
  const { purchase, imported } = facts as ReturnType<typeof oneTimeOf>['facts'];
  return (purchase ?? imported?.purchase)?.value.storeTransactionId;
}
