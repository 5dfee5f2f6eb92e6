import type { ImportedCustomerDto } from '../customers/customer-import.dto.js';
import type { ImportedPurchaseDto } from '../customers/imported-purchase.dto.js';
import type { ImportedSubscriptionDto } from '../customers/imported-subscription.dto.js';
import { isRawIdentifier } from '../customers/import-shape.policy.js';
import type { StoreQuestion } from './store-questions.js';

export type ImportedItem = ImportedSubscriptionDto | ImportedPurchaseDto;

/** The question to the store about one item. `isRaw`: only the store has its data. */
export interface ItemQuestion {
  item: ImportedItem;
  /** The owner's app user id. */
  appUserId: string;
  question: StoreQuestion;
  isRaw: boolean;
}

const appleStores: ReadonlySet<string> = new Set(['app_store', 'mac_app_store']);

function isOrder(id: string | undefined): id is string {
  return id?.startsWith('GPA.') ?? false;
}

function latestTransaction({ transactions = [] }: ImportedSubscriptionDto): string | undefined {
  return transactions.toSorted((a, b) => b.purchased_at - a.purchased_at)[0]?.id;
}

function rawQuestion(item: ImportedSubscriptionDto): StoreQuestion | null {
  const { app_id: appId, store, store_subscription_identifier: name, store_user_id } = item;
  const { original_transaction_id: original, purchase_token: token } = item;
  if (appId === undefined) return null;
  if (store === 'play_store' && token === undefined && isOrder(name))
    return { appId, kind: 'order', id: name };
  const id = store === 'play_store' ? token : (original ?? name);
  return id === undefined ? null : { appId, kind: 'purchase', id, storeUserId: store_user_id ?? null };
}

function keyQuestion(item: ImportedSubscriptionDto): StoreQuestion | null {
  const { app_id: appId, store, store_subscription_identifier: name } = item;
  if (appId === undefined) return null;
  const id = name ?? latestTransaction(item);
  if (store === 'play_store' && item.purchase_token === undefined && isOrder(id))
    return { appId, kind: 'order', id };
  const isGuess = appleStores.has(store) && item.original_transaction_id === undefined;
  return isGuess && id !== undefined ? { appId, kind: 'transaction', id } : null;
}

function purchaseQuestion(item: ImportedPurchaseDto): StoreQuestion | null {
  const { app_id: appId, store, store_purchase_identifier: id, purchase_token: token } = item;
  return store === 'play_store' && token === undefined && isOrder(id) ? { appId, kind: 'order', id } : null;
}

/** Selects items whose store key is missing or a guess, and those that contain only an id. */
export function questionsOf(customers: readonly ImportedCustomerDto[]): ItemQuestion[] {
  return customers.flatMap(({ id: appUserId, subscriptions = [], purchases = [] }) => {
    const ofSubscriptions = subscriptions.map((item) => {
      const isRaw = isRawIdentifier(item);
      return { item, appUserId, question: isRaw ? rawQuestion(item) : keyQuestion(item), isRaw };
    });
    const ofPurchases = purchases.map((item) => ({
      item,
      appUserId,
      question: purchaseQuestion(item),
      isRaw: false,
    }));
    return [...ofSubscriptions, ...ofPurchases].flatMap((one) =>
      one.question === null ? [] : [{ ...one, question: one.question }],
    );
  });
}
