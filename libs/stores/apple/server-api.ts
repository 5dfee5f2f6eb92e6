import {
  type ExtendReasonCode,
  GetTransactionHistoryVersion,
  type HistoryResponse,
  type MassExtendRenewalDateStatusResponse,
  Order,
  OrderLookupStatus,
} from '@apple/app-store-server-library';
import type { AppleApp, AppleEnvironment, InAppPurchaseKey } from './apple-app.js';
import type { AppleVerifier } from './apple-verifier.js';
import { NotGenuine } from './not-genuine.js';
import { isTransactionId } from './payload-rules.js';
import type { AppleRefundAnswer } from './refund-answer.js';
import { RetentionMessagesApi } from './retention-messages.js';
import { type AppleApiOptions, DeadlineClient } from './server-api.client.js';
import { AppleCallFailed, INVALID_TRANSACTION_ID } from './server-api.errors.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';

export interface AppleSubscription {
  status?: number;
  transaction: SignedTransaction;
  renewal: SignedRenewal;
}

/** One page of an account's purchases, newest first. */
export interface HistoryPage {
  transactions: SignedTransaction[];
  /** Identifies the next page; null on the last. */
  next: string | null;
}

export interface Extension {
  days: number;
  reasonCode: ExtendReasonCode;
  /** UUID. */
  requestId: string;
}

export interface MassExtension extends Extension {
  productId: string;
  /** ISO 3166 alpha-3; empty means all countries. */
  countries: string[];
}

/** No such transaction exists: every valid key gets the same refusal. */
const NO_TRANSACTION = '0';

const ORDER_ID = /^[A-Z0-9]{6,20}$/;

/** The library inserts ids into URLs unescaped, so only well-formed ids may pass. */
function pathId(id: string): string {
  if (!isTransactionId(id))
    throw new AppleCallFailed('refused', 'This is not a transaction id.', INVALID_TRANSACTION_ID);
  return id;
}

/** Client for one app and environment. Everything it returns is verified; every failure is an `AppleCallFailed`. */
export class AppleServerApi {
  readonly retention: RetentionMessagesApi;
  private readonly client: DeadlineClient;

  constructor(
    private readonly app: Pick<AppleApp, 'bundleId' | 'appAppleId'>,
    key: InAppPurchaseKey,
    environment: AppleEnvironment,
    private readonly verifier: AppleVerifier,
    options: AppleApiOptions,
    deadline: AbortSignal,
  ) {
    this.client = new DeadlineClient(key, app.bundleId, environment, options, deadline);
    this.retention = new RetentionMessagesApi(this.client);
  }

  /** Returns all subscriptions of a transaction's account. */
  async subscriptions(transactionId: string): Promise<AppleSubscription[]> {
    const id = pathId(transactionId);
    const answer = this.own(await this.client.call((client) => client.getAllSubscriptionStatuses(id)));
    const items = (answer.data ?? []).flatMap(({ lastTransactions }) => lastTransactions ?? []);
    return Promise.all(
      items.map(async ({ status, signedTransactionInfo = '', signedRenewalInfo = '' }) => ({
        status,
        transaction: await this.believed(this.verifier.transaction(this.app, signedTransactionInfo)),
        renewal: await this.believed(this.verifier.renewal(this.app, signedRenewalInfo)),
      })),
    );
  }

  /** Returns a page of everything that a transaction's account bought in the app. `page` null is the first. */
  async history(transactionId: string, page: string | null): Promise<HistoryPage> {
    const id = pathId(transactionId);
    const answer: HistoryResponse = await this.client.call((client) =>
      client.getTransactionHistory(id, page, { sort: Order.DESCENDING }, GetTransactionHistoryVersion.V2),
    );
    const { signedTransactions = [] } = this.own(answer);
    const transactions = await Promise.all(
      signedTransactions.map((jws) => this.believed(this.verifier.transaction(this.app, jws))),
    );
    return { transactions, next: answer.hasMore === true ? (answer.revision ?? null) : null };
  }

  /** @throws AppleCallFailed; `unknown` if the environment has no such transaction */
  async transaction(transactionId: string): Promise<SignedTransaction> {
    const id = pathId(transactionId);
    const { signedTransactionInfo } = await this.client.call((client) => client.getTransactionInfo(id));
    if (signedTransactionInfo === undefined) throw unreadable();
    return this.believed(this.verifier.transaction(this.app, signedTransactionInfo));
  }

  /** Available in production only. @throws AppleCallFailed; `unknown` if there is no such order */
  async order(orderId: string): Promise<SignedTransaction[]> {
    if (!ORDER_ID.test(orderId)) throw new AppleCallFailed('unknown', 'This is not an order id.');
    const answer = await this.client.call((client) => client.lookUpOrderId(orderId));
    const all = answer.status === OrderLookupStatus.VALID ? (answer.signedTransactions ?? []) : [];
    if (all.length === 0)
      throw new AppleCallFailed('unknown', 'The App Store does not know this order for the app.');
    return Promise.all(all.map((jws) => this.believed(this.verifier.transaction(this.app, jws))));
  }

  /** Returns the new end, epoch ms. @throws AppleCallFailed; `refused` if it cannot be extended, or not any more */
  async extend(originalTransactionId: string, { days, reasonCode, requestId }: Extension): Promise<number> {
    const id = pathId(originalTransactionId);
    const body = { extendByDays: days, extendReasonCode: reasonCode, requestIdentifier: requestId };
    const answer = await this.client.call((client) => client.extendSubscriptionRenewalDate(id, body));
    if (answer.success !== true || answer.effectiveDate === undefined) {
      throw new AppleCallFailed('refused', 'The App Store did not extend the subscription.');
    }
    return answer.effectiveDate;
  }

  /** Starts postponing the renewals of all subscribers of a product. */
  async massExtend({ days, reasonCode, requestId, productId, countries }: MassExtension): Promise<void> {
    const body = {
      extendByDays: days,
      extendReasonCode: reasonCode,
      requestIdentifier: requestId,
      productId,
      ...(countries.length > 0 && { storefrontCountryCodes: countries }),
    };
    await this.client.call((client) => client.extendRenewalDateForAllActiveSubscribers(body));
  }

  massExtension(requestId: string, productId: string): Promise<MassExtendRenewalDateStatusResponse> {
    const product = encodeURIComponent(productId);
    return this.client.call((client) =>
      client.getStatusOfSubscriptionRenewalDateExtensions(encodeURIComponent(requestId), product),
    );
  }

  /** Answers a refund request. */
  async sendConsumption(transactionId: string, answer: AppleRefundAnswer): Promise<void> {
    const id = pathId(transactionId);
    await this.client.call((client) =>
      answer.version === 'v1'
        ? client.sendConsumptionData(id, answer.body)
        : client.sendConsumptionInformation(id, answer.body),
    );
  }

  /** Sends a report about purchases outside the App Store. */
  async sendExternalReport(report: object): Promise<void> {
    await this.client.call((client) => client.sendExternalReport(report));
  }

  /** The report that Apple accepted under a request identifier; null if there is none. */
  async externalReport(requestIdentifier: string): Promise<unknown> {
    try {
      return await this.client.call((client) => client.externalReport(requestIdentifier));
    } catch (error) {
      if (error instanceof AppleCallFailed && error.failure === 'unknown') return null;
      throw error;
    }
  }

  /**
   * Returns undelivered notifications sent in a time range (epoch ms). `page` null is the first. Their payloads are
   * signed, but not verified here.
   */
  async missedNotifications(
    { fromMs, toMs }: { fromMs: number; toMs: number },
    page: string | null,
  ): Promise<{ signedPayloads: string[]; next: string | null }> {
    const wanted = { startDate: fromMs, endDate: toMs, onlyFailures: true };
    const answer = await this.client.call((client) => client.getNotificationHistory(page, wanted));
    if (answer.hasMore === undefined && answer.notificationHistory === undefined) throw unreadable();
    return {
      signedPayloads: (answer.notificationHistory ?? []).flatMap(({ signedPayload }) => signedPayload ?? []),
      next: answer.hasMore === true ? (answer.paginationToken ?? null) : null,
    };
  }

  /** Returns if Apple accepts the key, throws otherwise. */
  async check(): Promise<void> {
    try {
      await this.client.call((client) => client.getTransactionInfo(NO_TRANSACTION));
    } catch (error) {
      const isRefusedId = error instanceof AppleCallFailed && ['unknown', 'refused'].includes(error.failure);
      // A refusal without one of Apple's codes does not concern the id.
      if (!isRefusedId || error.code === null) throw error;
    }
  }

  /** An answer from something other than the App Store must not pass for an account without purchases. */
  private own<Answer extends { bundleId?: string }>(answer: Answer): Answer {
    if (answer.bundleId !== this.app.bundleId) throw unreadable();
    return answer;
  }

  /** Apple's answers are signed too, so one that is not genuine counts as a failed call. */
  private async believed<T>(verified: Promise<T>): Promise<T> {
    try {
      return await verified;
    } catch (error) {
      if (!(error instanceof NotGenuine)) throw error;
      throw new AppleCallFailed(
        'unavailable',
        `The App Store's answer could not be verified: ${error.message}`,
      );
    }
  }
}

function unreadable(): AppleCallFailed {
  return new AppleCallFailed('unavailable', 'The App Store gave no readable answer.');
}
