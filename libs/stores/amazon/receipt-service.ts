import type { Environment } from '../../engine/index.js';
import { isJsonObject, isStoreTime } from '../../kernel/index.js';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { storeFetch } from '../store-fetch.js';
import { AmazonCallFailed, amazonFailure } from './amazon-call-failed.js';

export interface AmazonServices {
  /** Has no trailing slash. */
  url: string;
  deadlineMs: number;
  breaker: CircuitBreaker;
}

/** `appId` keeps the circuit breaker of each app separate. */
export interface AmazonCaller {
  appId: string;
  sharedSecret: string;
}

export const AMAZON_RECEIPTS_URL = 'https://appstore-sdk.amazon.com';

/** A receipt as Amazon returns it. Times are epoch ms. */
export interface AmazonReceipt {
  receiptId: string;
  productId: string;
  /** SUBSCRIPTION, ENTITLED or CONSUMABLE, unless Amazon adds types. */
  productType: string;
  purchaseDate: number;
  /** When the purchase was revoked or the subscription ended. */
  cancelDate: number | null;
  /** 0 unknown so far, 1 customer, 2 Amazon (not paid), 4 replaced by another subscription. */
  cancelReason: number | null;
  quantity: number | null;
  testTransaction: boolean;
  betaProduct: boolean;
  countryCode: string | null;
  /** Null in older answers, which lack the field. */
  autoRenewing: boolean | null;
  renewalDate: number | null;
  gracePeriodEndDate: number | null;
  freeTrialEndDate: number | null;
  /** For example `1 Month`. */
  term: string | null;
  termSku: string | null;
  deferredSku: string | null;
  atIntroductoryPrice: boolean;
}

export interface FoundReceipt {
  receipt: AmazonReceipt;
  environment: Environment;
  /** The receipt as received. */
  json: Record<string, unknown>;
}

const MAX_LENGTH = 2_000;
const NO_ID = /^\.{0,2}$|[\u0000-\u001f\u007f]/;

function time(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isIntroductory(promotion: unknown): boolean {
  if (!isJsonObject(promotion)) return false;
  const { promotionType: type, promotionStatus: status } = promotion;
  return typeof type === 'string' && type.startsWith('Introductory Price') && status === 'InProgress';
}

function receiptOf(json: Record<string, unknown>, receiptId: string): AmazonReceipt | null {
  const productType = text(json.productType);
  const productId = text(json.productId);
  const purchaseDate = time(json.purchaseDate);
  if (productType === null || productId === null || purchaseDate === null) return null;
  if (text(json.receiptId) !== receiptId) return null;
  const times = [
    json.purchaseDate,
    json.cancelDate,
    json.renewalDate,
    json.gracePeriodEndDate,
    json.freeTrialEndDate,
  ];
  if (times.some((one) => time(one) !== null && !isStoreTime(one))) return null;
  return {
    receiptId,
    productId,
    productType,
    purchaseDate,
    cancelDate: time(json.cancelDate),
    cancelReason: typeof json.cancelReason === 'number' ? json.cancelReason : null,
    quantity: time(json.quantity),
    testTransaction: json.testTransaction === true,
    betaProduct: json.betaProduct === true,
    countryCode: text(json.countryCode),
    autoRenewing: typeof json.autoRenewing === 'boolean' ? json.autoRenewing : null,
    renewalDate: time(json.renewalDate),
    gracePeriodEndDate: time(json.gracePeriodEndDate),
    freeTrialEndDate: time(json.freeTrialEndDate),
    term: text(json.term),
    termSku: text(json.termSku),
    deferredSku: text(json.deferredSku),
    atIntroductoryPrice: Array.isArray(json.promotions) && json.promotions.some(isIntroductory),
  };
}

/**
 * Client of Amazon's Receipt Verification Service with one deadline for all calls. Every failure is an
 * `AmazonCallFailed`.
 */
export class ReceiptService {
  private readonly deadline: AbortSignal;

  constructor(
    private readonly caller: AmazonCaller,
    private readonly services: AmazonServices,
  ) {
    this.deadline = AbortSignal.timeout(services.deadlineMs);
  }

  /** Tries production first: a receipt or user unknown there may belong to the sandbox. */
  async find(userId: string, receiptId: string): Promise<FoundReceipt> {
    if ([userId, receiptId].some((id) => NO_ID.test(id) || id.length > MAX_LENGTH)) {
      throw new AmazonCallFailed('unknown', 'This is not an Amazon receipt.');
    }
    try {
      return await this.ask('', userId, receiptId);
    } catch (error) {
      if (!isStranger(error)) throw error;
      return this.ask('/sandbox', userId, receiptId).catch((other: unknown) => {
        throw isStranger(other) ? error : other;
      });
    }
  }

  private async ask(place: '' | '/sandbox', userId: string, receiptId: string): Promise<FoundReceipt> {
    const path = [this.caller.sharedSecret.trim(), 'user', userId, 'receiptId', receiptId].map(
      encodeURIComponent,
    );
    const base = `${this.services.url}${place}`;
    const url = `${base}/version/1.0/verifyReceiptId/developer/${path.join('/')}`;
    const json = await this.json(url, `${base} ${this.caller.appId}`);
    const receipt = isJsonObject(json) ? receiptOf(json, receiptId) : null;
    if (!isJsonObject(json) || receipt === null) throw unreadable();
    const isTest = place !== '' || receipt.testTransaction || receipt.betaProduct;
    return { receipt, environment: isTest ? 'sandbox' : 'production', json };
  }

  /** The URL contains the secret, so no error may repeat it. */
  private async json(url: string, circuit: string): Promise<unknown> {
    try {
      const response = await storeFetch(this.services.breaker, circuit, url, { signal: this.deadline });
      const { status } = response;
      if (status === 200) return response.json();
      throw amazonFailure(status, response.jsonOrNull(), response.header('retry-after'));
    } catch (error) {
      if (error instanceof CircuitOpen) {
        throw new AmazonCallFailed('unavailable', 'Amazon has not answered recently.', error.retryAfterMs);
      }
      throw error instanceof AmazonCallFailed ? error : unreadable();
    }
  }
}

function isStranger(error: unknown): boolean {
  return error instanceof AmazonCallFailed && (error.failure === 'unknown' || error.failure === 'user');
}

function unreadable(): AmazonCallFailed {
  return new AmazonCallFailed('unavailable', 'Amazon could not be reached, or gave no readable answer.');
}
