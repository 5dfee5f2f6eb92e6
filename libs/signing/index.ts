export { type FileSigner, fileSigner } from './ed25519.js';
export { type JwtSigner, jwtSigner } from './jwt.js';
export { type PromotionalOffer, signPromotionalOffer } from './promotional-offer.js';
export {
  isParamsHash,
  nonceOf,
  paramsHashHolds,
  type SdkAnswer,
  type SdkSigner,
  sdkSigner,
  type SignatureDone,
} from './sdk-signature.js';
export { deriveKey, type Sealer, sealerOf, sealerWith } from './sealer.js';
export { signWebhook, verifyWebhook } from './webhook-signature.js';
export { signStandardWebhook } from './standard-webhook.js';
