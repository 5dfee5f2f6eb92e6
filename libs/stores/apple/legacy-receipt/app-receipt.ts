import { isStoreTime } from '../../../kernel/index.js';
import { BerError, type BerNode, BerReader } from './ber.js';

export interface ReceiptTransaction {
  transactionId: string;
  originalTransactionId: string;
  productId: string;
  /** 0 non-consumable, 1 consumable, 2 non-renewing subscription, 3 subscription; null in old receipts. */
  productType: number | null;
  quantity: number;
  purchasedAtMs: number;
  originalPurchasedAtMs: number;
  /** Null unless it is a renewing subscription. */
  expiresAtMs: number | null;
  cancelledAtMs: number | null;
  webOrderLineItemId: string | null;
  isTrial: boolean;
  isIntro: boolean;
}

/** The content of an app receipt (StoreKit 1). */
export interface AppReceipt {
  /** `Production`, `ProductionSandbox` or `Xcode`; null in old receipts. */
  environment: string | null;
  bundleId: string;
  originalApplicationVersion: string | null;
  /** When the app was first installed; null if the receipt lacks the date or it is unreadable. */
  originalPurchasedAtMs: number | null;
  createdAtMs: number | null;
  transactions: ReceiptTransaction[];
}

const INTEGER = 0x02;
const SEQUENCE = 0x30;
const SET = 0x31;

const receiptFields = {
  environment: 0,
  bundleId: 2,
  createdAt: 12,
  inApp: 17,
  // Not documented by Apple, but present in every genuine receipt.
  originalPurchasedAt: 18,
  originalVersion: 19,
} as const;
const inAppFields = {
  quantity: 1701,
  productId: 1702,
  transactionId: 1703,
  purchasedAt: 1704,
  originalTransactionId: 1705,
  originalPurchasedAt: 1706,
  productType: 1707,
  expiresAt: 1708,
  webOrderLineItemId: 1711,
  cancelledAt: 1712,
  isTrial: 1713,
  isIntro: 1719,
} as const;

/** Reads a non-negative integer. */
function integer({ tag, start, end }: BerNode, bytes: Buffer): number {
  if (tag !== INTEGER || end - start > 8) throw new BerError('a number is malformed');
  return end === start ? 0 : Number(BigInt(`0x${bytes.toString('hex', start, end)}`));
}

/** A SET of SEQUENCE { type, version, value }, by type; each value is another BER value in an OCTET STRING. */
class Attributes {
  private readonly values = new Map<number, Buffer[]>();

  constructor(content: Buffer) {
    const reader = new BerReader(content);
    const set = reader.read();
    if (set.tag !== SET) throw new BerError('it is not a set of attributes');
    for (const item of set.children) {
      const [type, , value] = item.children;
      if (item.tag !== SEQUENCE || !type || !value) throw new BerError('an attribute is malformed');
      const number = integer(type, content);
      const known = this.values.get(number);
      if (known) known.push(reader.octets(value));
      else this.values.set(number, [reader.octets(value)]);
    }
  }

  all(type: number): Buffer[] {
    return this.values.get(type) ?? [];
  }

  text(type: number): string | null {
    const [value] = this.all(type);
    if (!value || value.length === 0) return null;
    const { start, end } = new BerReader(value).read();
    return value.toString('utf8', start, end);
  }

  number(type: number): number | null {
    const [value] = this.all(type);
    return value && value.length > 0 ? integer(new BerReader(value).read(), value) : null;
  }

  time(type: number): number | null {
    const ms = Date.parse(this.text(type) ?? '');
    return Number.isNaN(ms) ? null : ms;
  }
}

function transactionOf(content: Buffer): ReceiptTransaction | null {
  const fields = new Attributes(content);
  const transactionId = fields.text(inAppFields.transactionId);
  const productId = fields.text(inAppFields.productId);
  const purchasedAtMs = fields.time(inAppFields.purchasedAt);
  if (transactionId === null || productId === null || purchasedAtMs === null) return null;
  const lineItem = fields.number(inAppFields.webOrderLineItemId) ?? 0;
  return {
    transactionId,
    originalTransactionId: fields.text(inAppFields.originalTransactionId) ?? transactionId,
    productId,
    productType: fields.number(inAppFields.productType),
    quantity: fields.number(inAppFields.quantity) ?? 1,
    purchasedAtMs,
    originalPurchasedAtMs: fields.time(inAppFields.originalPurchasedAt) ?? purchasedAtMs,
    expiresAtMs: fields.time(inAppFields.expiresAt),
    cancelledAtMs: fields.time(inAppFields.cancelledAt),
    webOrderLineItemId: lineItem === 0 ? null : String(lineItem),
    isTrial: fields.number(inAppFields.isTrial) === 1,
    isIntro: fields.number(inAppFields.isIntro) === 1,
  };
}

function optionalTime(fields: Attributes, type: number): number | null {
  try {
    const ms = fields.time(type);
    return isStoreTime(ms) ? ms : null;
  } catch (error) {
    if (error instanceof BerError) return null;
    throw error;
  }
}

/** @throws NotGenuine if the bytes are not the content of an app receipt */
export function readAppReceipt(content: Buffer): AppReceipt {
  const fields = new Attributes(content);
  const bundleId = fields.text(receiptFields.bundleId);
  if (bundleId === null) throw new BerError('it contains no bundle id');
  return {
    environment: fields.text(receiptFields.environment),
    bundleId,
    originalApplicationVersion: fields.text(receiptFields.originalVersion),
    originalPurchasedAtMs: optionalTime(fields, receiptFields.originalPurchasedAt),
    createdAtMs: fields.time(receiptFields.createdAt),
    transactions: fields
      .all(receiptFields.inApp)
      .map(transactionOf)
      .filter((transaction) => transaction !== null),
  };
}
