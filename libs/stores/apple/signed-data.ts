import type {
  AppTransaction,
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
  ResponseBodyV2DecodedPayload,
} from '@apple/app-store-server-library';

type Present<Payload, Names extends keyof Payload> = Payload & Required<Pick<Payload, Names>>;

/** Fields of seats and bundles, which the library passes on without having types for them. */
interface SeatFields {
  multiSeatInfo?: {
    priceTiers?: unknown;
    revokedSeatQuantity?: unknown;
    invitationManagement?: unknown;
  };
  revokedSeatQuantity?: unknown;
  invitationManagement?: unknown;
  additionalTransactionReason?: unknown;
  previousOriginalTransactionId?: unknown;
  bundleProductId?: unknown;
  bundleTransactionId?: unknown;
  bundleOriginalTransactionId?: unknown;
}

/** A verified transaction with the fields that every genuine one has. Times are epoch ms. */
export type SignedTransaction = SeatFields &
  Present<
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

interface SeatRenewalFields {
  renewalQuantity?: unknown;
  multiSeatInfo?: { renewalPriceTiers?: unknown };
}

export type SignedRenewal = SeatRenewalFields &
  Present<
    JWSRenewalInfoDecodedPayload,
    'originalTransactionId' | 'autoRenewProductId' | 'autoRenewStatus' | 'signedDate'
  >;

export type SignedNotification = Present<
  ResponseBodyV2DecodedPayload,
  'notificationType' | 'notificationUUID' | 'signedDate'
>;

export type SignedAppTransaction = Present<AppTransaction, 'receiptType' | 'receiptCreationDate'>;
