import { BerError, type BerNode, BerReader } from './ber.js';

/** One purchase in an app receipt. Times are epoch ms. */
export interface ReceiptTransaction {
  transactionId: string;
  originalTransactionId: string;
  productId: string;
  quantity: number;
  purchasedAtMs: number;
  originalPurchasedAtMs: number;
  /** Null: no renewing subscription. */
  expiresAtMs: number | null;
  cancelledAtMs: number | null;
  webOrderLineItemId: string | null;
  isTrial: boolean;
  isIntro: boolean;
}

/** What an app receipt (StoreKit 1) says. Nobody has vouched for any of it. */
export interface AppReceipt {
  /** `Production`, `ProductionSandbox`, `Xcode`; null in old ones. */
  environment: string | null;
  bundleId: string;
  originalApplicationVersion: string | null;
  createdAtMs: number | null;
  transactions: ReceiptTransaction[];
}

const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTENT = 0xa0;

const receiptFields = { environment: 0, bundleId: 2, createdAt: 12, inApp: 17, originalVersion: 19 } as const;
const inAppFields = {
  quantity: 1701,
  productId: 1702,
  transactionId: 1703,
  purchasedAt: 1704,
  originalTransactionId: 1705,
  originalPurchasedAt: 1706,
  expiresAt: 1708,
  webOrderLineItemId: 1711,
  cancelledAt: 1712,
  isTrial: 1713,
  isIntro: 1719,
} as const;

function child({ children }: BerNode, index: number, tag: number): BerNode {
  const found = children[index];
  if (found?.tag !== tag) throw new BerError('no receipt');
  return found;
}

/** The signed content: ContentInfo, SignedData, EncapsulatedContentInfo, OCTET STRING. */
function signedContent(bytes: Buffer): Buffer {
  const reader = new BerReader(bytes);
  const info = reader.read();
  if (info.tag !== SEQUENCE) throw new BerError('no receipt');
  const signed = child(child(info, 1, CONTENT), 0, SEQUENCE);
  const [octets] = child(child(signed, 2, SEQUENCE), 1, CONTENT).children;
  if (!octets || (octets.tag & 0xdf) !== OCTET_STRING) throw new BerError('no receipt');
  return reader.octets(octets);
}

function integer(bytes: Buffer): number {
  if (bytes.length > 8) throw new BerError('too large a number');
  if (bytes.length > 6) return Number(BigInt(`0x${bytes.toString('hex')}`));
  return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length);
}

/** A SET of SEQUENCE { type, version, value }, by type; every value is one more BER value in an OCTET STRING. */
class Attributes {
  private readonly values = new Map<number, Buffer[]>();

  constructor(content: Buffer) {
    const reader = new BerReader(content);
    const set = reader.read();
    if (set.tag !== SET) throw new BerError('no receipt');
    for (const item of set.children) {
      const [type, , value] = item.children;
      if (item.tag !== SEQUENCE || !type || !value) throw new BerError('no receipt');
      const number = integer(content.subarray(type.start, type.end));
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
    const reader = new BerReader(value);
    const { start, end } = reader.read();
    return value.subarray(start, end).toString('utf8');
  }

  number(type: number): number | null {
    const [value] = this.all(type);
    if (!value || value.length === 0) return null;
    const { start, end } = new BerReader(value).read();
    return integer(value.subarray(start, end));
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

/** Reads an app receipt in linear time; null when the bytes are none. */
export function readAppReceipt(bytes: Buffer): AppReceipt | null {
  try {
    const fields = new Attributes(signedContent(bytes));
    const bundleId = fields.text(receiptFields.bundleId);
    if (bundleId === null) return null;
    return {
      environment: fields.text(receiptFields.environment),
      bundleId,
      originalApplicationVersion: fields.text(receiptFields.originalVersion),
      createdAtMs: fields.time(receiptFields.createdAt),
      transactions: fields
        .all(receiptFields.inApp)
        .map(transactionOf)
        .filter((transaction) => transaction !== null),
    };
  } catch (error) {
    if (error instanceof BerError) return null;
    throw error;
  }
}
