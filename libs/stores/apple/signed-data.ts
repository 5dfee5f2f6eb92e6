import type {
  AppTransaction,
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
  ResponseBodyV2DecodedPayload,
} from '@apple/app-store-server-library';

type Present<Payload, Names extends keyof Payload> = Payload & Required<Pick<Payload, Names>>;

/** A verified transaction with the fields that every genuine one has. Times are epoch ms. */
export type SignedTransaction = Present<
  JWSTransactionDecodedPayload,
  | 'transactionId'
  | 'originalTransactionId'
  | 'productId'
  | 'purchaseDate'
  | 'originalPurchaseDate'
  | 'type'
  | 'signedDate'
  | 'environment'
>;

export type SignedRenewal = Present<
  JWSRenewalInfoDecodedPayload,
  'originalTransactionId' | 'autoRenewProductId' | 'autoRenewStatus' | 'signedDate'
>;

export type SignedNotification = Present<
  ResponseBodyV2DecodedPayload,
  'notificationType' | 'notificationUUID' | 'signedDate'
>;

export type SignedAppTransaction = Present<AppTransaction, 'receiptType' | 'receiptCreationDate'>;
