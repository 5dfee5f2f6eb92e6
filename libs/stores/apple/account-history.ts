import type { AppleApp, AppleEnvironment, InAppPurchaseKey } from './apple-app.js';
import type { AppleServices } from './apple-services.js';
import type { AccountPurchases } from './purchases.js';
import { refundAfterReversal } from './refund-facts.js';
import { appleStatus } from './renewal-facts.js';
import { AppleServerApi, type AppleSubscription, type HistoryPage } from './server-api.js';
import { AppleCallFailed } from './server-api.errors.js';
import type { SignedTransaction } from './signed-data.js';
import { isSubscription, purchaseKeyOf } from './transaction-facts.js';
import { unknownStatus } from './unknown-values.js';

/** Pages read while a caller waits. Equals 100 transactions. */
export const PAGES_AT_ONCE = 5;

interface CallingApp {
  app: AppleApp;
  services: AppleServices;
  deadline?: AbortSignal;
}

export type AskedAccount =
  /** `next` is the first page of the history that was not read; null if all were read. */
  { failed: null; environment: AppleEnvironment; next: string | null } | { failed: AppleCallFailed };

function addSubscription(
  collected: AccountPurchases,
  { transaction, renewal, status }: AppleSubscription,
): void {
  const key = purchaseKeyOf(transaction);
  collected.addTransaction(transaction);
  collected.addRenewal(key, renewal, { latest: transaction, status });
  const isKept = status !== appleStatus.revoked && unknownStatus(status).length === 0;
  if (transaction.revocationDate !== undefined || !isKept) return;
  // The notification of a reversal may have been lost; the current transaction shows it too.
  collected.addRefund(transaction, refundAfterReversal(transaction), transaction.signedDate);
}

/** The history holds the current transaction of a one-time purchase, so it shows a reversal too. */
function addTransaction(collected: AccountPurchases, transaction: SignedTransaction): void {
  collected.addTransaction(transaction);
  if (isSubscription(transaction) || transaction.revocationDate !== undefined) return;
  collected.addRefund(transaction, refundAfterReversal(transaction), transaction.signedDate);
}

/** Apple's endpoint reports an account without subscriptions as unknown. */
async function subscriptionsOf(api: AppleServerApi, transactionId: string): Promise<AppleSubscription[]> {
  try {
    return await api.subscriptions(transactionId);
  } catch (error) {
    if (error instanceof AppleCallFailed && error.failure === 'unknown') return [];
    throw error;
  }
}

/**
 * The current state of the subscriptions of an account, and its history, newest first. Returns the first page not read.
 * @throws AppleCallFailed; what was added before remains valid
 */
async function addAccount(
  api: AppleServerApi,
  transactionId: string,
  collected: AccountPurchases,
  maxPages: number,
): Promise<string | null> {
  const [subscriptions, first] = await Promise.all([
    subscriptionsOf(api, transactionId),
    api.history(transactionId, null),
  ]);
  for (const subscription of subscriptions) addSubscription(collected, subscription);
  let page: HistoryPage = first;
  for (let count = 1; ; count++) {
    for (const transaction of page.transactions) addTransaction(collected, transaction);
    if (page.next === null || count === maxPages) return page.next;
    page = await api.history(transactionId, page.next);
  }
}

/**
 * An app never released cannot use production, so if the sandbox accepts the key, nothing was sold in production.
 * @throws AppleCallFailed; `unknown` if there is no such order
 */
export async function orderedTransactions(
  { app, services: { verifier, api, deadlineMs } }: CallingApp,
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

/**
 * Finds a transaction in either environment. Production rejects the key of an app that was never released, so a key
 * accepted by one environment is valid.
 * @throws AppleCallFailed; `unknown` if neither has it
 */
export async function identifiedTransaction(
  { app, services: { verifier, api, deadlineMs } }: CallingApp,
  key: InAppPurchaseKey,
  transactionId: string,
): Promise<SignedTransaction> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const ask = (environment: AppleEnvironment): Promise<SignedTransaction> =>
    new AppleServerApi(app, key, environment, verifier, api, deadline).transaction(transactionId);
  try {
    return await ask('Production');
  } catch (error) {
    if (!(error instanceof AppleCallFailed)) throw error;
    if (error.failure !== 'unknown' && error.failure !== 'credentials') throw error;
    return ask('Sandbox');
  }
}

const likeliest = ['unavailable', 'refused', 'unknown', 'credentials'] as const;

/** Production rejects the key of an app that was never released, so a key accepted by one environment is valid. */
export async function askAccount(
  { app, services, deadline = AbortSignal.timeout(services.deadlineMs) }: CallingApp,
  environments: AppleEnvironment[],
  transactionId: string,
  collected: AccountPurchases,
  maxPages: number = PAGES_AT_ONCE,
): Promise<AskedAccount> {
  const { key } = app;
  if (key === null)
    return { failed: new AppleCallFailed('credentials', 'The app has no in-app purchase key.') };
  const failures: AppleCallFailed[] = [];
  for (const environment of environments) {
    const api = new AppleServerApi(app, key, environment, services.verifier, services.api, deadline);
    try {
      return { failed: null, environment, next: await addAccount(api, transactionId, collected, maxPages) };
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
 * Adds purchases that Apple's answers lack: new ones, and types missing from some histories. Returns null on success.
 */
export async function addNamed(
  { app, services, deadline = AbortSignal.timeout(services.deadlineMs) }: CallingApp,
  key: InAppPurchaseKey,
  environment: AppleEnvironment,
  transactionId: string,
  collected: AccountPurchases,
): Promise<AppleCallFailed | null> {
  if (collected.environmentOf(transactionId) !== undefined) return null;
  const server = new AppleServerApi(app, key, environment, services.verifier, services.api, deadline);
  try {
    addTransaction(collected, await server.transaction(transactionId));
    return null;
  } catch (error) {
    if (error instanceof AppleCallFailed) return error;
    throw error;
  }
}
