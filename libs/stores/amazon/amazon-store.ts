import {
  type SubscriptionFacts,
  type Environment,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OneTimeFacts,
} from '../../engine/index.js';
import type {
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  Settle,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { withHints } from '../device-hints.js';
import { refused, unavailable } from '../verification-failures.js';
import { withUnknown } from '../unknown-values.js';
import { AmazonCallFailed } from './amazon-call-failed.js';
import { oneTimeFacts, productOf, type DevicePrice, subscriptionFacts } from './receipt-facts.js';
import { type AmazonServices, type FoundReceipt, ReceiptService } from './receipt-service.js';
import { withMissingDates } from './missing-dates.js';
import { unknownInReceipt } from './unknown-in-answers.js';

export interface AmazonApp {
  appId: string;
  sharedSecret: string | null;
  /** Amazon users who may have a receipt, the most likely first. */
  usersOf(receiptId: string): Promise<string[]>;
  /** The environment in which a one-time purchase is known; null if unknown. */
  boughtOnce(receiptId: string): Promise<Environment | null>;
}

const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7104,
  message: 'The app has no Amazon shared secret (shared_secret).',
};

/** Why Amazon returned no receipt. `isGone`: the receipt existed and was revoked. */
export type AmazonRefusal = VerificationFailure & { isGone: boolean };

function amazonVerdict(error: unknown): VerificationFailure {
  if (!(error instanceof AmazonCallFailed)) throw error;
  const { failure, message } = error;
  if (failure === 'credentials') return { failure, code: 7104, message };
  return failure === 'unavailable' ? unavailable(error) : refused(message);
}

function purchaseOf({ receipt }: FoundReceipt, price: DevicePrice, atMs: number): VerifiedPurchase {
  const common = { key: receipt.receiptId, firstPostStands: false };
  if (receipt.productType === 'SUBSCRIPTION') {
    const inLightOf = (known: SubscriptionFacts): SubscriptionFacts =>
      subscriptionFacts(withMissingDates(receipt, known, atMs), price, atMs, known);
    const observation = { atMs, facts: inLightOf(noSubscriptionFacts) };
    const settle: Settle<SubscriptionFacts> = ({ hints, replaced }, known) => ({
      ...inLightOf(known),
      hints,
      replaced,
    });
    return { ...common, kind: 'subscription', observation, settle };
  }
  const facts = oneTimeFacts(receipt, price, atMs);
  const shouldConsume = receipt.productType === 'CONSUMABLE';
  return { ...common, kind: 'one_time', observation: { atMs, facts }, shouldConsume };
}

/** A one-time purchase that Amazon no longer returns was refunded; Amazon does not report when. */
function takenBack(key: string, atMs: number): VerifiedPurchase {
  const settle: Settle<OneTimeFacts> = (facts, known) => {
    const quantity = known.purchase?.value.quantity ?? 1;
    const refund = { at: atMs, src: 'api' as const, value: { refundedAtMs: atMs, quantity } };
    return { ...facts, refund: known.refund ?? refund };
  };
  const observation = { atMs, facts: settle(noOneTimeFacts, noOneTimeFacts) };
  const common = { key, firstPostStands: false, onlyIfKnown: true, shouldConsume: false };
  return { ...common, kind: 'one_time', observation, settle };
}

export class AmazonStore implements StoreAdapter {
  readonly store = 'amazon';

  constructor(
    private readonly app: AmazonApp,
    private readonly services: AmazonServices,
    private readonly nowMs: () => number,
  ) {}

  async verify(receipt: PostedReceipt, { nowMs }: StoreContext): Promise<Verified | VerificationFailure> {
    const { storeUserId, fetchToken, productIds } = receipt;
    if ((storeUserId ?? '') === '') {
      return { failure: 'permanent', code: 7226, message: 'store_user_id is missing.' };
    }
    const accounts = [{ kind: 'amazon_user_id' as const, key: storeUserId ?? '' }];
    const receiptId = fetchToken.trim();
    const found = await this.find(storeUserId ?? '', receiptId);
    if ('failure' in found) {
      // Amazon may not have checked the receipt's owner, so only a known buyer counts.
      const isBuyer = found.isGone && (await this.app.usersOf(receiptId)).includes(storeUserId ?? '');
      const environment = isBuyer ? await this.app.boughtOnce(receiptId) : null;
      if (environment === null) return found;
      return { failure: null, environment, purchases: [takenBack(receiptId, nowMs)], accounts };
    }
    const names = [productOf(found.receipt), found.receipt.productId];
    const price = productIds.some((id) => names.includes(id)) ? receipt.price : null;
    const purchases = withHints([purchaseOf(found, price, nowMs)], receipt);
    const verified = { failure: null, environment: found.environment, purchases, accounts };
    return withUnknown(verified, unknownInReceipt(found.receipt));
  }

  async lookUp({ id, storeUserId }: NamedPurchase): Promise<Verified | VerificationFailure> {
    if ((storeUserId ?? '') === '') return refused('Amazon needs the buyer (store_user_id).');
    const found = await this.find(storeUserId ?? '', id);
    if ('failure' in found) return found;
    const purchases = [purchaseOf(found, null, this.nowMs())];
    const accounts = [{ kind: 'amazon_user_id' as const, key: storeUserId ?? '' }];
    const verified = { failure: null, environment: found.environment, purchases, accounts };
    return withUnknown(verified, unknownInReceipt(found.receipt));
  }

  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const atMs = this.nowMs();
    let failure: VerificationFailure = refused('No user of Amazon is known who bought it.');
    for (const userId of await this.app.usersOf(key)) {
      const found = await this.find(userId, key);
      if (!('failure' in found) && found.environment === environment) {
        const refreshed = { failure: null, purchases: [purchaseOf(found, null, atMs)], unfinished: false };
        return withUnknown(refreshed, unknownInReceipt(found.receipt));
      }
      if ('failure' in found && found.isGone) {
        return { failure: null, purchases: [takenBack(key, atMs)], unfinished: false };
      }
      if ('failure' in found) failure = found;
      if (failure.failure !== 'permanent') break;
    }
    return failure;
  }

  async find(userId: string, receiptId: string): Promise<FoundReceipt | AmazonRefusal> {
    const { appId, sharedSecret } = this.app;
    if (sharedSecret === null) return { ...keyMissing, isGone: false };
    try {
      return await new ReceiptService({ appId, sharedSecret }, this.services).find(userId, receiptId);
    } catch (error) {
      return {
        ...amazonVerdict(error),
        isGone: error instanceof AmazonCallFailed && error.failure === 'gone',
      };
    }
  }
}
