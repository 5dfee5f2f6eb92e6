import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from '../apple/not-genuine.js';
import type { UnknownValue } from '../contract.js';
import { unknownInNotification } from './unknown-in-answers.js';

/** A real-time notification of the Amazon Appstore. It only names a purchase; read its state from Amazon. */
export interface AmazonNotification {
  type: string;
  packageName: string;
  userId: string;
  receiptId: string;
  replacedReceiptId: string | null;
  sentAtMs: number | null;
  unknown: UnknownValue[];
}

/** @throws NotGenuine if the message is not a notification */
export function readAmazonNotification(message: string): AmazonNotification {
  let json: unknown;
  try {
    json = parseJson(message);
  } catch {
    json = null;
  }
  const { notificationType, appPackageName, appUserId, receiptId, relatedReceipts, timestamp } = isJsonObject(
    json,
  )
    ? json
    : {};
  if (
    typeof notificationType !== 'string' ||
    typeof appPackageName !== 'string' ||
    typeof appUserId !== 'string' ||
    typeof receiptId !== 'string'
  ) {
    throw new NotGenuine('The message is not a notification of the Amazon Appstore.');
  }
  const { cancelledReceiptId, canceledReceiptId } = isJsonObject(relatedReceipts) ? relatedReceipts : {};
  const replaced = cancelledReceiptId ?? canceledReceiptId;
  return {
    type: notificationType,
    packageName: appPackageName,
    userId: appUserId,
    receiptId,
    replacedReceiptId:
      typeof replaced === 'string' && replaced !== '' && replaced !== receiptId ? replaced : null,
    sentAtMs: typeof timestamp === 'number' ? timestamp : null,
    unknown: unknownInNotification(notificationType),
  };
}
