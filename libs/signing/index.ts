export { deriveKey, type Sealer, sealerOf } from './sealer.js';
export { signWebhook, verifyWebhook } from './webhook-signature.js';
export { signStandardWebhook } from './standard-webhook.js';
