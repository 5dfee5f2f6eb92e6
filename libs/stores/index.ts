export type {
  Installation,
  PostedReceipt,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  StoreProduct,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from './contract.js';
export { testStore, testStorePurchaseTime } from './test-store/test-store.js';
