export { FakeVendor, VENDOR_KEY, VENDOR_PUBLIC_KEY, VENDOR_V1_KEY } from './fake-vendor.js';
export type { VendorFault, VendorJournalEntry } from './fake-vendor.js';
export { type LifeName, lives } from './seed-lives.js';
export { seedWorld } from './seed-world.js';
export type { VendorCustomer, VendorSubscription, VendorWorld } from './vendor.model.js';
export { tokenFile } from './token-file.js';
