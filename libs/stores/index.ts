export type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  StoreProduct,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from './contract.js';
export { testStore, testStorePurchaseTime } from './test-store/test-store.js';
