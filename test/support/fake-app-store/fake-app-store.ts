import { randomUUID } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { appReceipt, type FakeReceipt } from './app-receipt.js';
import { appleChain, type Chain } from './certificates.js';
import type { ContainerSigning } from './cms.js';
import {
  type Environment,
  type FakeAccount,
  type FakeNotification,
  FakeSubscription,
  type FakeTerms,
} from './fake-subscription.js';
import { Signer } from './signer.js';

export interface FakeProduct {
  id: string;
  /** Milliunits of the currency. */
  priceMilli: number;
  /** Price of an introductory period; default 990. */
  introMilli?: number;
  durationMs?: number;
}

type Payload = Record<string, unknown>;

/** Everything that can be bought in the apps of the tests. */
export const fakeProducts = {
  monthly: { id: 'pro_monthly', priceMilli: 9_990 },
  yearly: { id: 'pro_yearly', priceMilli: 79_990, durationMs: 365 * 86_400_000 },
  plus: { id: 'pro_plus', priceMilli: 12_990 },
  coins: { id: 'coins_100', priceMilli: 990 },
  lifetime: { id: 'pro_lifetime', priceMilli: 199_000 },
} satisfies Record<string, FakeProduct>;

/** One purchase that does not renew. */
export interface FakeOneTime {
  account: FakeAccount;
  transaction: Payload;
}

/** An App Store of its own: accounts, purchases, signatures under its own root, and notifications. */
export class FakeAppStore {
  readonly signer: Signer;
  readonly subscriptions: FakeSubscription[] = [];
  readonly oneTime: FakeOneTime[] = [];
  /** Transactions by the id of the order, as customers have it in their mail. */
  readonly orders = new Map<string, Payload[]>();
  private ids = 200_000_000_000_000;
  private rsaChain: Chain | null = null;

  constructor(
    readonly clock: ManualClock,
    readonly bundleId: string,
    readonly appAppleId: number,
    readonly chain: Chain = appleChain(),
  ) {
    this.signer = new Signer(chain);
  }

  /** Signer of app receipts: RSA, under the same root as everything else. */
  get receiptChain(): Chain {
    this.rsaChain ??= appleChain({ root: this.chain.root, leaf: { rsa: true } });
    return this.rsaChain;
  }

  /** An app receipt (StoreKit 1) of now, signed; both can be changed. */
  appReceipt(receipt: Partial<FakeReceipt>, signing: Partial<ContainerSigning> = {}): string {
    const { root, intermediate, leaf } = this.receiptChain;
    return appReceipt(
      { bundleId: this.bundleId, createdAtMs: this.clock.nowMs(), purchases: [], ...receipt },
      { certificates: [leaf, intermediate, root], signers: [{ certificate: leaf }], ...signing },
    );
  }

  newTransactionId(): string {
    return String(++this.ids);
  }

  account(environment: Environment = 'Production', more: Partial<FakeAccount> = {}): FakeAccount {
    const appTransactionId = this.newTransactionId();
    return { environment, appTransactionId, storefront: 'USA', currency: 'USD', ...more };
  }

  subscribe(account: FakeAccount, product: FakeProduct, options: FakeTerms = {}): FakeSubscription {
    const subscription = new FakeSubscription(this, account, product, options);
    this.subscriptions.push(subscription);
    return subscription;
  }

  buy(account: FakeAccount, product: FakeProduct, type = 'Consumable', quantity = 1): FakeOneTime {
    const id = this.newTransactionId();
    const nowMs = this.clock.nowMs();
    const transaction = {
      transactionId: id,
      originalTransactionId: id,
      bundleId: this.bundleId,
      productId: product.id,
      purchaseDate: nowMs,
      originalPurchaseDate: nowMs,
      quantity,
      type,
      inAppOwnershipType: account.isFamilyMember ? 'FAMILY_SHARED' : 'PURCHASED',
      environment: account.environment,
      transactionReason: 'PURCHASE',
      storefront: account.storefront,
      price: product.priceMilli * quantity,
      currency: account.currency,
      appTransactionId: account.appTransactionId,
      ...(account.appAccountToken !== undefined && { appAccountToken: account.appAccountToken }),
    };
    const bought = { account, transaction };
    this.oneTime.push(bought);
    return bought;
  }

  /** The order of some transactions; the sandbox has none. */
  order(...transactions: Payload[]): string {
    const id = `M${String(++this.ids).slice(-9)}`;
    this.orders.set(id, transactions);
    return id;
  }

  signed(transaction: Payload): string {
    return this.signer.sign({ ...transaction, signedDate: this.clock.nowMs() });
  }

  appTransaction(account: FakeAccount, more: Payload = {}): string {
    const nowMs = this.clock.nowMs();
    return this.signer.sign({
      receiptType: account.environment,
      appAppleId: this.appAppleId,
      bundleId: this.bundleId,
      applicationVersion: '12',
      receiptCreationDate: nowMs,
      originalPurchaseDate: nowMs - 1_000_000,
      originalApplicationVersion: '7',
      appTransactionId: account.appTransactionId,
      ...more,
    });
  }

  /** Signs the request that Apple posts when the customer of a subscription may cancel. */
  retentionRequest({ originalTransactionId, account, latest }: FakeSubscription, more: Payload = {}): string {
    return this.signer.sign({
      originalTransactionId,
      appAppleId: this.appAppleId,
      productId: latest.productId,
      userLocale: 'en-US',
      requestIdentifier: randomUUID(),
      environment: account.environment,
      signedDate: this.clock.nowMs(),
      ...more,
    });
  }

  oneTimeNotification(
    { account, transaction }: FakeOneTime,
    type = 'ONE_TIME_CHARGE',
    more: Payload = {},
  ): FakeNotification {
    const data = {
      bundleId: this.bundleId,
      appAppleId: this.appAppleId,
      environment: account.environment,
      signedTransactionInfo: this.signed(transaction),
      ...more,
    };
    return this.notification(type, null, { data });
  }

  test(environment: Environment = 'Production'): FakeNotification {
    const data = { bundleId: this.bundleId, appAppleId: this.appAppleId, environment };
    return this.notification('TEST', null, { data });
  }

  /** Any notification. */
  notification(type: string, subtype: string | null, content: Payload): FakeNotification {
    const uuid = randomUUID();
    const signedPayload = this.signer.sign({
      notificationType: type,
      ...(subtype !== null && { subtype }),
      notificationUUID: uuid,
      version: '2.0',
      signedDate: this.clock.nowMs(),
      ...content,
    });
    return { type, subtype, uuid, body: JSON.stringify({ signedPayload }) };
  }

  /** What an account bought, newest first. */
  historyOf(account: FakeAccount): Payload[] {
    const periods = this.subscriptions
      .filter((subscription) => subscription.account === account)
      .flatMap(({ transactions }) => transactions);
    const others = this.oneTime.filter((bought) => bought.account === account);
    return [...periods, ...others.map(({ transaction }) => transaction)].sort(
      (a, b) => Number(b.purchaseDate) - Number(a.purchaseDate),
    );
  }

  /** The account behind any transaction of an environment. */
  accountOf(transactionId: string, environment: Environment): FakeAccount | null {
    const names = (transaction: Payload): boolean =>
      transaction.transactionId === transactionId || transaction.originalTransactionId === transactionId;
    const owners = [
      ...this.subscriptions.filter(({ transactions }) => transactions.some(names)),
      ...this.oneTime.filter(({ transaction }) => names(transaction)),
    ];
    return owners.find(({ account }) => account.environment === environment)?.account ?? null;
  }
}
