import {
  type DecodedRealtimeRequestBody,
  PromotionalOfferV2SignatureCreator,
  type RealtimeResponseBody,
} from '@apple/app-store-server-library';
import type { AppleApp, InAppPurchaseKey } from './apple-app.js';
import { NotGenuine } from './not-genuine.js';

/** A question of Apple: which message to show to a customer who looks at a subscription and may cancel. */
export type SignedRetentionRequest = DecodedRealtimeRequestBody;

/** Apple sends a request while the customer waits. */
const MAX_DIFFERENCE_MS = 5 * 60_000;

/**
 * The library compares the app's number only in production.
 * @throws NotGenuine for another app or an old request
 */
export function assertRetentionRequest(
  { appAppleId, signedDate }: SignedRetentionRequest,
  app: Pick<AppleApp, 'appAppleId'>,
  nowMs: number,
): void {
  if (app.appAppleId === null || appAppleId !== app.appAppleId)
    throw new NotGenuine('The data is signed for another app.');
  if (Math.abs(nowMs - signedDate) > MAX_DIFFERENCE_MS)
    throw new NotGenuine('The data was not signed in the last five minutes.');
}

/** The message, product or offer to show, by the App Store's identifiers. */
export type RetentionAnswer =
  | { kind: 'message'; messageId: string }
  | { kind: 'alternate_product'; messageId: string; productId: string }
  | { kind: 'promotional_offer'; messageId: string; productId: string; offerId: string };

/** Signs an offer for the customer of a transaction. Null if the key cannot sign. */
export function signOffer(
  { privateKeyPem, keyId, issuerId }: InAppPurchaseKey,
  bundleId: string,
  { productId, offerId }: { productId: string; offerId: string },
  transactionId: string,
): string | null {
  try {
    const signer = new PromotionalOfferV2SignatureCreator(privateKeyPem, keyId, issuerId, bundleId);
    return signer.createSignature(productId, offerId, transactionId);
  } catch {
    return null;
  }
}

/** @param signature of the offer; unused for the other kinds */
export function retentionAnswerBody(answer: RetentionAnswer, signature: string | null): RealtimeResponseBody {
  const { messageId: messageIdentifier } = answer;
  switch (answer.kind) {
    case 'message':
      return { message: { messageIdentifier } };
    case 'alternate_product':
      return { alternateProduct: { messageIdentifier, productId: answer.productId } };
    case 'promotional_offer':
      return {
        promotionalOffer: { messageIdentifier, promotionalOfferSignatureV2: signature ?? undefined },
      };
  }
}
