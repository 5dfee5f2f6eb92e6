import { looksLikeJws, readJws } from './compact-jws.js';
import { type AppReceipt, readAppReceipt } from './legacy-receipt/app-receipt.js';
import { isXcodePayload, readXcodeReceipt, type XcodeReceipt } from './xcode.js';

/** The forms in which apps post purchases of the App Store. */
export type ReceiptForm =
  | { form: 'signed_transaction'; jws: string }
  | { form: 'xcode_transaction'; jws: string }
  | { form: 'xcode_receipt'; receipt: XcodeReceipt }
  | { form: 'app_receipt'; receipt: AppReceipt }
  /** The one purchase of a receipt older than app receipts. */
  | {
      form: 'transaction_receipt';
      transactionId: string;
      bundleId: string | null;
      purchasedAtMs: number | null;
    };

/** Larger ones do not exist. */
const MAX_LENGTH = 5 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const SEQUENCE = 0x30;

function field(text: string, name: string): string | null {
  return new RegExp(`"${name}"\\s*=\\s*"([^"]*)"`).exec(text)?.[1] ?? null;
}

/** An old-style property list whose interesting part is base64 once more. */
function transactionReceipt(text: string): ReceiptForm | null {
  const info = field(text, 'purchase-info');
  const purchase = info === null ? text : Buffer.from(info, 'base64').toString('utf8');
  const transactionId = field(purchase, 'transaction-id');
  if (transactionId === null) return null;
  const purchasedAtMs = Number(field(purchase, 'purchase-date-ms') ?? NaN);
  return {
    form: 'transaction_receipt',
    transactionId,
    bundleId: field(purchase, 'bid'),
    purchasedAtMs: Number.isFinite(purchasedAtMs) ? purchasedAtMs : null,
  };
}

/** Which form a posted token has; null when it has none of them. Believes nothing of it. */
export function receiptForm(token: string): ReceiptForm | null {
  const text = token.trim();
  if (text.length > MAX_LENGTH) return null;
  if (looksLikeJws(text)) {
    const form = isXcodePayload(readJws(text).payload) ? 'xcode_transaction' : 'signed_transaction';
    return { form, jws: text };
  }
  const packed = text.replace(/\s+/g, '');
  if (!BASE64.test(packed)) return null;
  const bytes = Buffer.from(packed, 'base64');
  if (bytes[0] === SEQUENCE) {
    const receipt = readAppReceipt(bytes);
    return receipt && { form: 'app_receipt', receipt };
  }
  if (bytes[0] !== '{'.charCodeAt(0)) return null;
  const receipt = readXcodeReceipt(packed);
  return receipt ? { form: 'xcode_receipt', receipt } : transactionReceipt(bytes.toString('utf8'));
}
