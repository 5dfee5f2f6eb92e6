import type { Environment } from '../../engine/index.js';
import { isJsonObject } from '../../kernel/index.js';

export interface ReceiptTransaction {
  id: string;
  environment: Environment | null;
}

/**
 * The transaction in an App Store receipt: a signed transaction (JWS) or a base64 app receipt. Signatures are not
 * checked: the operator vouches for the file, and the server asks the App Store about the transaction.
 */
export async function transactionOfReceipt(receipt: string): Promise<ReceiptTransaction | null> {
  const text = receipt.trim();
  if (/^\d{1,64}$/.test(text)) return { id: text, environment: null };
  return text.split('.').length === 3 ? signedTransaction(text) : appReceipt(text);
}

function signedTransaction(text: string): ReceiptTransaction | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (!isJsonObject(payload)) return null;
    const id = payload.originalTransactionId ?? payload.transactionId;
    if (typeof id !== 'string') return null;
    const isSandbox = payload.environment === 'Sandbox';
    return {
      id,
      environment: isSandbox ? 'sandbox' : payload.environment === 'Production' ? 'production' : null,
    };
  } catch {
    return null;
  }
}

async function appReceipt(text: string): Promise<ReceiptTransaction | null> {
  const { ReceiptUtility } = await import('@apple/app-store-server-library/dist/receipt_utility.js');
  try {
    const id = new ReceiptUtility().extractTransactionIdFromAppReceipt(text);
    return id === null ? null : { id, environment: null };
  } catch {
    return null;
  }
}
