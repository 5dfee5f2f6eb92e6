import { noSubscriptionFacts, noOneTimeFacts } from '../../engine/index.js';
import type { AppleApp, AppleEnvironment, InAppPurchaseKey } from './apple-app.js';
import type { AppleServices } from './apple-services.js';
import type { ShownPurchases } from './purchases.js';
import { appleStatus } from './renewal-facts.js';
import { AppleServerApi, type AppleSubscription, type HistoryPage } from './server-api.js';
import { AppleCallFailed } from './server-api.errors.js';
import type { SignedTransaction } from './signed-data.js';
import { isSubscription, purchaseKeyOf, reversedRefund } from './transaction-facts.js';

/** Pages of the history that somebody waits for: 100 transactions. */
export const PAGES_AT_ONCE = 5;

/** The app that asks. */
interface Asker {
  app: AppleApp;
  services: AppleServices;
  /** Until when it waits; absent: as long as the services say, from now on. */
  deadline?: AbortSignal;
}

/** What asking Apple about an account came to. */
export type AskedAccount =
  /** `next` names the first page of the history that was left out; null: everything is known. */
  { failed: null; environment: AppleEnvironment; next: string | null } | { failed: AppleCallFailed };

function addSubscription(shown: ShownPurchases, { transaction, renewal, status }: AppleSubscription): void {
  const key = purchaseKeyOf(transaction);
  shown.addTransaction(transaction);
  shown.addRenewal(key, renewal, { latest: transaction, status });
  if (transaction.revocationDate !== undefined || status === appleStatus.revoked) return;
  // The notification of a reversal may have been lost: the present transaction says the same.
  const refunds = reversedRefund(transaction, transaction.signedDate);
  shown.addFacts(key, { ...noSubscriptionFacts, refunds }, transaction.signedDate);
}

/** As of a subscription: what the history shows of a one-time purchase is its present. */
function addTransaction(shown: ShownPurchases, transaction: SignedTransaction): void {
  shown.addTransaction(transaction);
  if (isSubscription(transaction) || transaction.revocationDate !== undefined) return;
  const { signedDate: at } = transaction;
  const refund = { at, src: 'signed', value: { refundedAtMs: null, quantity: 0 } } as const;
  shown.addOneTimeFacts(purchaseKeyOf(transaction), { ...noOneTimeFacts, refund }, at);
}

/** An account that never had a subscription is none for that call. */
async function subscriptionsOf(api: AppleServerApi, transactionId: string): Promise<AppleSubscription[]> {
  try {
    return await api.subscriptions(transactionId);
  } catch (error) {
    if (error instanceof AppleCallFailed && error.failure === 'unknown') return [];
    throw error;
  }
}

/**
 * Adds what Apple shows of the account behind a transaction: the present of its subscriptions, and its history,
 * newest first. Gives the name of the first page left out.
 * @throws AppleCallFailed; what was added before is true and stays
 */
async function addAccount(
  api: AppleServerApi,
  transactionId: string,
  shown: ShownPurchases,
  maxPages: number,
): Promise<string | null> {
  const [subscriptions, first] = await Promise.all([
    subscriptionsOf(api, transactionId),
    api.history(transactionId, null),
  ]);
  for (const subscription of subscriptions) addSubscription(shown, subscription);
  let page: HistoryPage = first;
  for (let count = 1; ; count++) {
    for (const transaction of page.transactions) addTransaction(shown, transaction);
    if (page.next === null || count === maxPages) return page.next;
    page = await api.history(transactionId, page.next);
  }
}

/**
 * What was bought with an order. An app that was never released cannot ask production at all: when the sandbox takes
 * the key, it sold nothing there.
 * @throws AppleCallFailed; `unknown` when there is no such order
 */
export async function orderedTransactions(
  { app, services: { verifier, api, deadlineMs } }: Asker,
  key: InAppPurchaseKey,
  orderId: string,
): Promise<SignedTransaction[]> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const apiOf = (environment: AppleEnvironment): AppleServerApi =>
    new AppleServerApi(app, key, environment, verifier, api, deadline);
  try {
    return await apiOf('Production').order(orderId);
  } catch (error) {
    if (!(error instanceof AppleCallFailed) || error.failure !== 'credentials') throw error;
    await apiOf('Sandbox').check();
    throw new AppleCallFailed('unknown', 'The app may not ask production.');
  }
}

const likeliest = ['unavailable', 'refused', 'unknown', 'credentials'] as const;

/**
 * Asks Apple about an account, in the first environment that knows it. An app that was never released cannot ask
 * production at all, which looks like a bad key: a key that one environment takes is no bad key.
 */
export async function askAccount(
  { app, services, deadline = AbortSignal.timeout(services.deadlineMs) }: Asker,
  environments: AppleEnvironment[],
  transactionId: string,
  shown: ShownPurchases,
  maxPages: number = PAGES_AT_ONCE,
): Promise<AskedAccount> {
  const { key } = app;
  if (key === null)
    return { failed: new AppleCallFailed('credentials', 'The app has no in-app purchase key.') };
  const failures: AppleCallFailed[] = [];
  for (const environment of environments) {
    const api = new AppleServerApi(app, key, environment, services.verifier, services.api, deadline);
    try {
      return { failed: null, environment, next: await addAccount(api, transactionId, shown, maxPages) };
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      failures.push(error);
      if (error.failure !== 'unknown' && error.failure !== 'credentials') break;
    }
  }
  failures.sort((a, b) => likeliest.indexOf(a.failure) - likeliest.indexOf(b.failure));
  return { failed: failures[0] ?? new AppleCallFailed('unknown', 'The App Store was not asked.') };
}

/**
 * Adds the transaction that a receipt names, when what Apple showed of the account lacks it: a fresh one may be missing
 * there, and some kinds of purchases are not in every history. Null when it is shown.
 */
export async function addNamed(
  { app, services, deadline = AbortSignal.timeout(services.deadlineMs) }: Asker,
  key: InAppPurchaseKey,
  environment: AppleEnvironment,
  transactionId: string,
  shown: ShownPurchases,
): Promise<AppleCallFailed | null> {
  if (shown.environmentOf(transactionId) !== undefined) return null;
  const server = new AppleServerApi(app, key, environment, services.verifier, services.api, deadline);
  try {
    addTransaction(shown, await server.transaction(transactionId));
    return null;
  } catch (error) {
    if (error instanceof AppleCallFailed) return error;
    throw error;
  }
}
