import type {
  Installation,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
} from '../contract.js';
import { addNamed, askAccount, orderedTransactions } from './account-history.js';
import type { Environment } from '../../engine/index.js';
import { type AppleApp, type AppleEnvironment, appleEnvironmentOf, environmentOf } from './apple-app.js';
import type { AppleServices } from './apple-services.js';
import { withHints } from '../device-hints.js';
import type { AppReceipt } from './legacy-receipt/app-receipt.js';
import { newestTransaction, unsignedTransactions } from './legacy-receipt/unsigned-facts.js';
import { NotGenuine } from './not-genuine.js';
import { isTransactionId } from './payload-rules.js';
import { ShownPurchases } from './purchases.js';
import { type ReceiptForm, receiptForm } from './receipt-form.js';
import { AppleCallFailed, isInvalidId, keyFields } from './server-api.errors.js';
import { noContext, purchaseKeyOf, type TransactionContext } from './transaction-facts.js';
import { xcodeRenewal, xcodeTransaction, type XcodeReceipt } from './xcode.js';

/** How long a purchase may be unknown to Apple's servers after it was made. */
const FRESH_MS = 3_600_000;

function refused(message: string): VerificationFailure {
  return { failure: 'permanent', code: 7103, message };
}

/** What receipts call the environment they are of. Old ones do not say it. */
const receiptEnvironments = new Map<string | null, Environment>([
  ['Production', 'production'],
  ['ProductionVPP', 'production'],
  ['ProductionSandbox', 'sandbox'],
  ['ProductionVPPSandbox', 'sandbox'],
  ['Sandbox', 'sandbox'],
  ['Xcode', 'sandbox'],
]);

const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7234,
  message: `Receipts like this one need the in-app purchase key of the app (${keyFields}), and there is none.`,
};

/** A purchase that only Apple's servers vouch for, and do not. */
function failureOfId(failed: AppleCallFailed, isFresh: boolean): VerificationFailure {
  const { failure, message, retryAfterMs } = failed;
  if (failure === 'credentials') return { failure, code: 7234, message };
  if (isInvalidId(failed) || (failure === 'unknown' && !isFresh)) return refused(message);
  return { failure: 'temporary', code: 7101, message, ...(retryAfterMs !== null && { retryAfterMs }) };
}

/** Apple has no look-up of orders for the sandbox. */
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

/** The App Store, or the Mac App Store, as one app sees it. */
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
      const form = receiptForm(receipt.fetchToken);
      if (!form) return refused('The token is no receipt and no transaction of the App Store.');
      const shown = new ShownPurchases(transactionContext(receipt, context));
      const verified = await this.verifyForm(form, shown, context.nowMs, receipt.isSandbox === true);
      if (verified.failure !== null) return verified;
      return { ...verified, purchases: withHints(verified.purchases, receipt) };
    } catch (error) {
      if (error instanceof NotGenuine) return refused(error.message);
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

  /** Of the account behind it only what was bought with the order. */
  async order(orderId: string): Promise<Verified | VerificationFailure> {
    const { key } = this.app;
    if (key === null) return keyMissing;
    try {
      const [transaction, ...others] = await orderedTransactions(this.as, key, orderId);
      if (!transaction) return refused(noSuchOrder);
      const keys = [transaction, ...others].map(purchaseKeyOf);
      const shown = new ShownPurchases(noContext);
      for (const one of [transaction, ...others]) shown.addTransaction(one);
      const asked = await askAccount(this.as, ['Production'], transaction.transactionId, shown);
      const isComplete = asked.failed === null && asked.next === null;
      return {
        failure: null,
        environment: 'production',
        purchases: shown.all.filter((purchase) => keys.includes(purchase.key)),
        accounts: accountsOf(transaction),
        ...(!isComplete && { unfinished: keys }),
      };
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      return error.failure === 'unknown' ? refused(noSuchOrder) : failureOfId(error, false);
    }
  }

  /** Everything Apple knows of the account behind a purchase, however long that takes. */
  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const { key: appKey } = this.app;
    if (appKey === null) return keyMissing;
    const shown = new ShownPurchases(noContext);
    const asked = await askAccount(this.as, [appleEnvironmentOf(environment)], key, shown, Infinity);
    if (asked.failed && shown.keys.length === 0) return failureOfId(asked.failed, false);
    if (asked.failed) return { failure: null, purchases: shown.all, unfinished: true };
    const missing = shown.keys.includes(key)
      ? null
      : await addNamed(this.as, appKey, asked.environment, key, shown);
    const unfinished = missing !== null && missing.failure !== 'unknown';
    return { failure: null, purchases: shown.all, unfinished };
  }

  private async verifyForm(
    form: ReceiptForm,
    shown: ShownPurchases,
    nowMs: number,
    isSandbox: boolean,
  ): Promise<Verified | VerificationFailure> {
    switch (form.form) {
      case 'signed_transaction':
        return this.signedTransaction(form.jws, shown);
      case 'xcode_transaction':
        return this.xcode({ transactions: [form.jws], renewals: [] }, shown, nowMs);
      case 'xcode_receipt':
        return this.xcode(form.receipt, shown, nowMs);
      case 'app_receipt':
        return this.appReceipt(form.receipt, shown, nowMs, isSandbox);
      case 'transaction_receipt':
        return this.transactionReceipt(form, shown, nowMs);
    }
  }

  /** The signature is enough: what Apple's servers know beside is added, and fetched later when they fail. */
  private async signedTransaction(jws: string, shown: ShownPurchases): Promise<Verified> {
    const transaction = await this.services.verifier.transaction(this.app, jws);
    const environment = transaction.environment as AppleEnvironment;
    shown.addTransaction(transaction);
    const asked =
      this.app.key && (await askAccount(this.as, [environment], transaction.transactionId, shown));
    const isComplete = asked === null || (asked.failed === null && asked.next === null);
    return {
      failure: null,
      environment: environmentOf(environment),
      purchases: shown.all,
      accounts: accountsOf(transaction),
      ...(!isComplete && { unfinished: [purchaseKeyOf(transaction)] }),
    };
  }

  private xcode(receipt: XcodeReceipt, shown: ShownPurchases, nowMs: number): Verified {
    for (const jws of receipt.transactions) shown.addTransaction(xcodeTransaction(this.app, jws, nowMs));
    for (const { transaction, renewalInfo } of receipt.renewals) {
      const latest = xcodeTransaction(this.app, transaction, nowMs);
      shown.addTransaction(latest);
      shown.addRenewal(purchaseKeyOf(latest), xcodeRenewal(this.app, renewalInfo, nowMs), { latest });
    }
    return { failure: null, environment: 'sandbox', purchases: shown.all };
  }

  /** `isSandbox`: what the device says, for receipts that do not tell their environment. */
  private async appReceipt(
    receipt: AppReceipt,
    shown: ShownPurchases,
    nowMs: number,
    isSandbox: boolean,
  ): Promise<Verified | VerificationFailure> {
    const { bundleId, environment, createdAtMs, originalApplicationVersion } = receipt;
    if (bundleId !== this.app.bundleId) return refused('The receipt is of another app.');
    const installation: Installation = { originalApplicationVersion, originalPurchaseAtMs: null };
    const place = receiptEnvironments.get(environment) ?? (isSandbox ? 'sandbox' : 'production');
    const newest = newestTransaction(receipt);
    if (newest === null) {
      return { failure: null, environment: place, purchases: [], installation };
    }
    if (this.app.key !== null && isTransactionId(newest.transactionId) && environment !== 'Xcode') {
      const isFresh = createdAtMs !== null && nowMs - createdAtMs < FRESH_MS;
      const isNew = nowMs - newest.purchasedAtMs < FRESH_MS;
      const verified = await this.byId(newest.transactionId, shown, { isFresh, isNew });
      return verified.failure === null ? { ...verified, installation } : verified;
    }
    if (environment === 'Xcode' && !this.app.allowUnsignedReceipts) {
      return refused(
        'Receipts of StoreKit testing in Xcode are not signed by Apple, and the app allows no others.',
      );
    }
    if (!this.app.allowUnsignedReceipts || place === 'production') return keyMissing;
    for (const transaction of unsignedTransactions(receipt, nowMs)) shown.addTransaction(transaction);
    return { failure: null, environment: 'sandbox', purchases: shown.all, installation };
  }

  private async transactionReceipt(
    { transactionId, bundleId, purchasedAtMs }: Extract<ReceiptForm, { form: 'transaction_receipt' }>,
    shown: ShownPurchases,
    nowMs: number,
  ): Promise<Verified | VerificationFailure> {
    if (bundleId !== null && bundleId !== this.app.bundleId) return refused('The receipt is of another app.');
    if (!isTransactionId(transactionId)) return refused('The receipt names no transaction of the App Store.');
    const isNew = purchasedAtMs !== null && nowMs - purchasedAtMs < FRESH_MS;
    return this.byId(transactionId, shown, { isFresh: isNew, isNew });
  }

  /**
   * The receipt names the purchase, and only Apple's servers vouch for it. `isFresh`: the receipt was just made;
   * `isNew`: the purchase was.
   */
  private async byId(
    transactionId: string,
    shown: ShownPurchases,
    { isFresh, isNew }: { isFresh: boolean; isNew: boolean },
  ): Promise<Verified | VerificationFailure> {
    const { key } = this.app;
    if (key === null) return keyMissing;
    const as = { ...this.as, deadline: AbortSignal.timeout(this.services.deadlineMs) };
    const asked = await askAccount(as, ['Production', 'Sandbox'], transactionId, shown);
    if (asked.failed) return failureOfId(asked.failed, isFresh);
    const failed = await addNamed(as, key, asked.environment, transactionId, shown);
    // One that was restored may go by another id than the receipt's.
    const isElsewhere = failed?.failure === 'unknown' && !isNew && shown.keys.length > 0;
    if (failed && !isElsewhere) return failureOfId(failed, isNew);
    return {
      failure: null,
      environment: environmentOf(asked.environment),
      purchases: shown.all,
      ...(asked.next !== null && { unfinished: shown.keys }),
    };
  }
}
