import { type ContainerSigning, signedContainer } from './cms.js';
import { der, integer, sequence } from './der.js';

export interface FakeReceiptPurchase {
  transactionId: string;
  originalTransactionId: string;
  productId: string;
  purchasedAtMs: number;
  expiresAtMs?: number;
  isTrial?: boolean;
  /** 0 non-consumable, 1 consumable, 2 non-renewing subscription, 3 subscription. */
  productType?: number;
}

export interface FakeReceipt {
  bundleId: string;
  /** Null: it does not say. */
  environment?: string | null;
  /** Null: it does not say. */
  createdAtMs: number | null;
  /** When the app was first installed: epoch ms, or a text to write in its place. */
  originalPurchase?: number | string;
  purchases: FakeReceiptPurchase[];
}

const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
const ia5 = (text: string): Buffer => der(0x16, Buffer.from(text));
const date = (ms: number): Buffer => ia5(new Date(ms).toISOString().replace(/\.\d+/, ''));

function number(value: number): Buffer {
  const digits = value.toString(16);
  return integer(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
}

function attribute(type: number, value: Buffer): Buffer {
  return sequence(number(type), number(1), der(0x04, value));
}

function purchaseSet({ expiresAtMs, isTrial, productType, ...purchase }: FakeReceiptPurchase): Buffer {
  return der(
    0x31,
    attribute(1701, number(1)),
    attribute(1702, utf8(purchase.productId)),
    attribute(1703, utf8(purchase.transactionId)),
    attribute(1704, date(purchase.purchasedAtMs)),
    attribute(1705, utf8(purchase.originalTransactionId)),
    attribute(1706, date(purchase.purchasedAtMs)),
    ...(productType === undefined ? [] : [attribute(1707, number(productType))]),
    ...(expiresAtMs === undefined ? [] : [attribute(1708, date(expiresAtMs))]),
    ...(isTrial ? [attribute(1713, number(1))] : []),
  );
}

function originalPurchase(value: number | string): Buffer {
  return typeof value === 'number' ? date(value) : Buffer.from(value);
}

/** The content of an app receipt. */
export function receiptContent(receipt: FakeReceipt): Buffer {
  return der(
    0x31,
    ...(receipt.environment === null ? [] : [attribute(0, utf8(receipt.environment ?? 'Production'))]),
    attribute(2, utf8(receipt.bundleId)),
    attribute(3, utf8('12')),
    ...(receipt.createdAtMs === null ? [] : [attribute(12, date(receipt.createdAtMs))]),
    ...receipt.purchases.map((purchase) => attribute(17, purchaseSet(purchase))),
    ...(receipt.originalPurchase === undefined
      ? []
      : [attribute(18, originalPurchase(receipt.originalPurchase))]),
    attribute(19, utf8('7')),
  );
}

/** An app receipt in its container, as `signing` says; base64. */
export function appReceipt(receipt: FakeReceipt, signing: ContainerSigning): string {
  return signedContainer(receiptContent(receipt), signing).toString('base64');
}
