import type {
  Installation,
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
} from '../contract.js';
import { addNamed, askAccount, identifiedTransaction, orderedTransactions } from './account-history.js';
import type { Environment } from '../../engine/index.js';
import { type AppleApp, type AppleEnvironment, appleEnvironmentOf, environmentOf } from './apple-app.js';
import type { AppleServices } from './apple-services.js';
import { withHints } from '../device-hints.js';
import { refused, unavailable } from '../verification-failures.js';
import { withUnknown } from '../unknown-values.js';
import { WorkNotDone } from '../../kernel/index.js';
import type { AppReceipt } from './legacy-receipt/app-receipt.js';
import { newestTransaction, statedTransactions } from './legacy-receipt/receipt-facts.js';
import { NotGenuine } from './not-genuine.js';
import { isTransactionId } from './payload-rules.js';
import { AccountPurchases } from './purchases.js';
import { type ReadToken, XCODE } from './receipt-token.js';
import { AppleCallFailed, isInvalidId, keyFields } from './server-api.errors.js';
import { appleIdOf, noContext, purchaseKeyOf, type TransactionContext } from './transaction-facts.js';

/** Apple's servers may not know a new purchase until this much later. */
const FRESH_MS = 3_600_000;

/** Environment names in receipts. Old receipts have none. */
const receiptEnvironments = new Map<string | null, Environment>([
  ['Production', 'production'],
  ['ProductionVPP', 'production'],
  ['ProductionSandbox', 'sandbox'],
  ['ProductionVPPSandbox', 'sandbox'],
  ['Sandbox', 'sandbox'],
]);

const appleEnvironments: AppleEnvironment[] = ['Production', 'Sandbox'];

const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7234,
  message: `Verifying this receipt requires the in-app purchase key of the app (${keyFields}), which is not set.`,
};

/** The failure for a purchase that only Apple's servers can verify. */
function failureOfId(failed: AppleCallFailed, isFresh: boolean): VerificationFailure {
  const { failure, message } = failed;
  if (failure === 'credentials') return { failure, code: 7234, message };
  if (isInvalidId(failed) || (failure === 'unknown' && !isFresh)) return refused(message);
  return unavailable(failed);
}

const noSuchOrder =
  'The App Store knows no such order of the app in production; orders of the sandbox (TestFlight, too) it does not look up.';

function transactionContext(receipt: PostedReceipt, context: StoreContext): TransactionContext {
  return {
    devicePrice: (productId) => (receipt.productIds.includes(productId) ? receipt.price : null),
    durationOf: (productId) => context.product(productId)?.duration ?? null,
  };
}

function accountsOf({ appTransactionId }: { appTransactionId?: string }): StoreAccount[] {
  return appTransactionId === undefined ? [] : [{ kind: 'apple_app_transaction_id', key: appTransactionId }];
}

export class AppStore implements StoreAdapter {
  readonly store: AppleApp['store'];

  constructor(
    private readonly app: AppleApp,
    private readonly services: AppleServices,
  ) {
    this.store = app.store;
  }

  private get as() {
    return { app: this.app, services: this.services };
  }

  async verify(receipt: PostedReceipt, context: StoreContext): Promise<Verified | VerificationFailure> {
    try {
      const token = await this.services.receipts.read(receipt.fetchToken, this.app, context.nowMs);
      const collected = new AccountPurchases(transactionContext(receipt, context));
      const verified = await this.verifyToken(token, collected, context.nowMs, receipt.isSandbox === true);
      if (verified.failure !== null) return verified;
      const purchases = withHints(verified.purchases, receipt);
      return withUnknown({ ...verified, purchases }, collected.unknown);
    } catch (error) {
      if (error instanceof NotGenuine) return withUnknown(refused(error.message), error.unknown);
      if (error instanceof WorkNotDone) return { failure: 'temporary', code: 7101, message: error.message };
      throw error;
    }
  }

  async verifyInstallation(
    signed: string,
  ): Promise<{ installation: Installation; accounts: StoreAccount[] } | null> {
    try {
      const app = await this.services.verifier.appTransaction(this.app, signed);
      const installation = {
        originalApplicationVersion: app.originalApplicationVersion ?? null,
        originalPurchaseAtMs: app.originalPurchaseDate ?? null,
      };
      return { installation, accounts: accountsOf(app) };
    } catch (error) {
      if (error instanceof NotGenuine) return null;
      throw error;
    }
  }

  /** Returns only what was bought with the order, not the rest of the account. */
  async order(orderId: string): Promise<Verified | VerificationFailure> {
    const { key } = this.app;
    if (key === null) return keyMissing;
    try {
      const [transaction, ...others] = await orderedTransactions(this.as, key, orderId);
      if (!transaction) return refused(noSuchOrder);
      const keys = [transaction, ...others].map(purchaseKeyOf);
      const collected = new AccountPurchases(noContext);
      for (const one of [transaction, ...others]) collected.addTransaction(one);
      const asked = await askAccount(this.as, ['Production'], transaction.transactionId, collected);
      const isComplete = asked.failed === null && asked.next === null;
      const environment = collected.environmentOf(transaction.transactionId) ?? 'production';
      const verified: Verified = {
        failure: null,
        environment,
        purchases: collected.of(environment).filter((purchase) => keys.includes(purchase.key)),
        accounts: accountsOf(transaction),
        ...(!isComplete && { unfinished: keys }),
      };
      return withUnknown(verified, collected.unknown);
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      return error.failure === 'unknown' ? refused(noSuchOrder) : failureOfId(error, false);
    }
  }

  async identify(transactionId: string): Promise<Verified | VerificationFailure> {
    const { key } = this.app;
    if (key === null) return keyMissing;
    try {
      const transaction = await identifiedTransaction(this.as, key, transactionId);
      const collected = new AccountPurchases(noContext);
      collected.addTransaction(transaction);
      const environment = environmentOf(transaction.environment as AppleEnvironment);
      const purchases = collected.of(environment);
      const verified: Verified = { failure: null, environment, purchases, accounts: accountsOf(transaction) };
      return withUnknown(verified, collected.unknown);
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      return failureOfId(error, false);
    }
  }

  async lookUp({ id }: NamedPurchase): Promise<Verified | VerificationFailure> {
    const collected = new AccountPurchases(noContext);
    const verified = await this.byId(id, appleEnvironments, collected, { isFresh: false, isNew: true });
    if (verified.failure !== null) return verified;
    const purchases = collected.named(id, verified.environment);
    const isUnfinished = verified.unfinished !== undefined;
    const unfinished = isUnfinished && { unfinished: purchases.map(({ key }) => key) };
    return withUnknown({ ...verified, purchases, ...unfinished }, collected.unknown);
  }

  /** Reads everything Apple knows about the account of a purchase, however long that takes. */
  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const { key: appKey } = this.app;
    if (appKey === null) return keyMissing;
    const collected = new AccountPurchases(noContext);
    const id = appleIdOf(key);
    const asked = await askAccount(this.as, [appleEnvironmentOf(environment)], id, collected, Infinity);
    const purchases = collected.of(environment);
    if (asked.failed && purchases.length === 0) return failureOfId(asked.failed, false);
    if (asked.failed) return withUnknown({ failure: null, purchases, unfinished: true }, collected.unknown);
    const missing = purchases.some((purchase) => purchase.key === key)
      ? null
      : await addNamed(this.as, appKey, asked.environment, id, collected);
    const unfinished = missing !== null && missing.failure !== 'unknown';
    const refreshed = { failure: null, purchases: collected.of(environment), unfinished };
    return withUnknown(refreshed, collected.unknown);
  }

  private async verifyToken(
    token: ReadToken,
    collected: AccountPurchases,
    nowMs: number,
    isSandbox: boolean,
  ): Promise<Verified | VerificationFailure> {
    switch (token.form) {
      case 'signed_transaction':
        return this.signedTransaction(token.jws, collected);
      case 'xcode':
        return this.xcode(token, collected);
      case 'app_receipt':
        return this.appReceipt(token.receipt, collected, nowMs, isSandbox);
    }
  }

  /** The signature suffices. Further data from Apple's servers is added, or fetched later if they fail. */
  private async signedTransaction(jws: string, collected: AccountPurchases): Promise<Verified> {
    const transaction = await this.services.verifier.transaction(this.app, jws);
    const host = transaction.environment as AppleEnvironment;
    const environment = environmentOf(host);
    collected.addTransaction(transaction);
    const asked = this.app.key && (await askAccount(this.as, [host], transaction.transactionId, collected));
    const isComplete = asked === null || (asked.failed === null && asked.next === null);
    return {
      failure: null,
      environment,
      purchases: collected.of(environment),
      accounts: accountsOf(transaction),
      ...(!isComplete && { unfinished: [purchaseKeyOf(transaction)] }),
    };
  }

  private xcode(
    { transactions, renewals, installation }: Extract<ReadToken, { form: 'xcode' }>,
    collected: AccountPurchases,
  ): Verified {
    for (const transaction of transactions) collected.addTransaction(transaction);
    for (const { latest, renewal } of renewals) {
      collected.addTransaction(latest);
      collected.addRenewal(purchaseKeyOf(latest), renewal, { latest });
    }
    return { failure: null, environment: 'sandbox', purchases: collected.of('sandbox'), installation };
  }

  /**
   * Everything in the receipt is signed. `isSandbox`: reported by the device, for old receipts without an environment.
   */
  private async appReceipt(
    receipt: AppReceipt,
    collected: AccountPurchases,
    nowMs: number,
    isSandbox: boolean,
  ): Promise<Verified | VerificationFailure> {
    const { bundleId, environment: type, createdAtMs } = receipt;
    if (bundleId !== this.app.bundleId) return refused('The receipt is of another app.');
    const installation: Installation = {
      originalApplicationVersion: receipt.originalApplicationVersion,
      originalPurchaseAtMs: receipt.originalPurchasedAtMs,
    };
    const environment = type === XCODE ? 'sandbox' : receiptEnvironments.get(type);
    const newest = newestTransaction(receipt);
    if (newest === null) {
      const place = environment ?? (isSandbox ? 'sandbox' : 'production');
      return { failure: null, environment: place, purchases: [], installation };
    }
    if (type !== XCODE && this.app.key !== null) {
      if (!isTransactionId(newest.transactionId)) return refused('The receipt names no transaction id.');
      const isFresh = createdAtMs !== null && nowMs - createdAtMs < FRESH_MS;
      const isNew = nowMs - newest.purchasedAtMs < FRESH_MS;
      const hosts = environment ? [appleEnvironmentOf(environment)] : appleEnvironments;
      const verified = await this.byId(newest.transactionId, hosts, collected, { isFresh, isNew });
      return verified.failure === null ? { ...verified, installation } : verified;
    }
    if (environment === undefined) return keyMissing;
    const signedFor = type === XCODE ? XCODE : appleEnvironmentOf(environment);
    for (const transaction of statedTransactions(receipt, signedFor, nowMs)) {
      collected.addTransaction(transaction);
    }
    return { failure: null, environment, purchases: collected.of(environment), installation };
  }

  /** `isFresh`: the receipt was just created; `isNew`: the purchase was, too. */
  private async byId(
    transactionId: string,
    hosts: AppleEnvironment[],
    collected: AccountPurchases,
    { isFresh, isNew }: { isFresh: boolean; isNew: boolean },
  ): Promise<Verified | VerificationFailure> {
    const { key } = this.app;
    if (key === null) return keyMissing;
    const as = { ...this.as, deadline: AbortSignal.timeout(this.services.deadlineMs) };
    const asked = await askAccount(as, hosts, transactionId, collected);
    if (asked.failed) return failureOfId(asked.failed, isFresh);
    const failed = await addNamed(as, key, asked.environment, transactionId, collected);
    const environment = collected.environmentOf(transactionId) ?? environmentOf(asked.environment);
    const purchases = collected.of(environment);
    // A restored purchase may have another id than the one in the receipt.
    const isElsewhere = failed?.failure === 'unknown' && !isNew && purchases.length > 0;
    if (failed && !isElsewhere) return failureOfId(failed, isNew);
    return {
      failure: null,
      environment,
      purchases,
      ...(asked.next !== null && { unfinished: purchases.map((purchase) => purchase.key) }),
    };
  }
}
