import { der, integer, oid, sequence } from './der.js';

export interface FakeReceiptPurchase {
  transactionId: string;
  originalTransactionId: string;
  productId: string;
  purchasedAtMs: number;
  expiresAtMs?: number;
  isTrial?: boolean;
}

export interface FakeReceipt {
  bundleId: string;
  environment?: string;
  createdAtMs: number;
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

function purchaseSet({ expiresAtMs, isTrial, ...purchase }: FakeReceiptPurchase): Buffer {
  return der(
    0x31,
    attribute(1701, number(1)),
    attribute(1702, utf8(purchase.productId)),
    attribute(1703, utf8(purchase.transactionId)),
    attribute(1704, date(purchase.purchasedAtMs)),
    attribute(1705, utf8(purchase.originalTransactionId)),
    attribute(1706, date(purchase.purchasedAtMs)),
    ...(expiresAtMs === undefined ? [] : [attribute(1708, date(expiresAtMs))]),
    ...(isTrial ? [attribute(1713, number(1))] : []),
  );
}

/** The content of an app receipt. */
export function receiptContent(receipt: FakeReceipt): Buffer {
  return der(
    0x31,
    attribute(0, utf8(receipt.environment ?? 'Production')),
    attribute(2, utf8(receipt.bundleId)),
    attribute(3, utf8('12')),
    attribute(12, date(receipt.createdAtMs)),
    ...receipt.purchases.map((purchase) => attribute(17, purchaseSet(purchase))),
    attribute(19, utf8('7')),
  );
}

/** The whole receipt, base64; `indefinite` writes it the way Xcode does. */
export function appReceipt(receipt: FakeReceipt, indefinite = false): string {
  const content = receiptContent(receipt);
  const open = (tag: number, inner: Buffer): Buffer =>
    indefinite ? Buffer.concat([Buffer.from([tag, 0x80]), inner, Buffer.from([0, 0])]) : der(tag, inner);
  const half = Math.floor(content.length / 2);
  const octets = indefinite
    ? open(0x24, Buffer.concat([der(0x04, content.subarray(0, half)), der(0x04, content.subarray(half))]))
    : der(0x04, content);
  const encapsulated = open(0x30, Buffer.concat([oid('1.2.840.113549.1.7.1'), open(0xa0, octets)]));
  const signed = open(0x30, Buffer.concat([number(1), der(0x31), encapsulated]));
  return open(0x30, Buffer.concat([oid('1.2.840.113549.1.7.2'), open(0xa0, signed)])).toString('base64');
}
