import fc from 'fast-check';
import { type FakeReceipt, receiptContent } from '../../../../test/support/fake-app-store/app-receipt.js';
import { NotGenuine } from '../not-genuine.js';
import { readAppReceipt } from './app-receipt.js';
import { newestTransaction, statedTransactions } from './receipt-facts.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const purchases = [
  {
    transactionId: '1001',
    originalTransactionId: '1000',
    productId: 'pro_monthly',
    purchasedAtMs: NOW_MS - 86_400_000,
    expiresAtMs: NOW_MS + 86_400_000,
  },
  { transactionId: '1002', originalTransactionId: '1002', productId: 'coins', purchasedAtMs: NOW_MS - 5_000 },
  {
    transactionId: '1000',
    originalTransactionId: '1000',
    productId: 'pro_monthly',
    purchasedAtMs: NOW_MS - 9 * 86_400_000,
    expiresAtMs: NOW_MS - 86_400_000,
    isTrial: true,
  },
];
const receipt = { bundleId: 'com.example.app', createdAtMs: NOW_MS, purchases };
const read = (of: FakeReceipt) => readAppReceipt(receiptContent(of));

it('reads an app receipt', () => {
  expect(read(receipt)).toEqual({
    environment: 'Production',
    bundleId: 'com.example.app',
    originalApplicationVersion: '7',
    originalPurchasedAtMs: null,
    createdAtMs: NOW_MS,
    transactions: [
      {
        transactionId: '1001',
        originalTransactionId: '1000',
        productId: 'pro_monthly',
        productType: null,
        quantity: 1,
        purchasedAtMs: NOW_MS - 86_400_000,
        originalPurchasedAtMs: NOW_MS - 86_400_000,
        expiresAtMs: NOW_MS + 86_400_000,
        cancelledAtMs: null,
        webOrderLineItemId: null,
        isTrial: false,
        isIntro: false,
      },
      expect.objectContaining({ transactionId: '1002', expiresAtMs: null }),
      expect.objectContaining({ transactionId: '1000', isTrial: true }),
    ],
  });
});

it('asks Apple about the newest purchase', () => {
  expect(newestTransaction(read(receipt))?.transactionId).toBe('1002');
  expect(newestTransaction(read({ ...receipt, purchases: [] }))).toBeNull();
});

it('states its purchases as of the time of its creation', () => {
  const transactions = statedTransactions(read(receipt), 'Production', NOW_MS + 5);
  expect(transactions.map(({ type, signedDate }) => [type, signedDate])).toEqual([
    ['Auto-Renewable Subscription', NOW_MS],
    ['Non-Consumable', NOW_MS],
    ['Auto-Renewable Subscription', NOW_MS],
  ]);
  expect(transactions[2]).toMatchObject({ offerDiscountType: 'FREE_TRIAL' });
  const consumable = { ...receipt, purchases: [{ ...purchases[1], productType: 1 }] } as FakeReceipt;
  expect(statedTransactions(read(consumable), 'Production', NOW_MS)).toMatchObject([{ type: 'Consumable' }]);
  const path = { ...receipt, purchases: [{ ...purchases[1], transactionId: '../1' }] } as FakeReceipt;
  expect(() => statedTransactions(read(path), 'Production', NOW_MS)).toThrow(NotGenuine);
});

it('refuses malformed content without any other error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(() => readAppReceipt(Buffer.from(bytes))).toThrow(NotGenuine);
    }),
  );
  const whole = receiptContent(receipt);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const broken = Buffer.from(whole);
      broken[at] = byte;
      try {
        readAppReceipt(broken);
      } catch (error) {
        expect(error).toBeInstanceOf(NotGenuine);
      }
    }),
  );
});

it('reads a large receipt completely', () => {
  const some = Array.from({ length: 2_000 }, (_, index) => ({
    transactionId: String(index),
    originalTransactionId: String(index),
    productId: 'coins',
    purchasedAtMs: NOW_MS - index,
  }));
  expect(read({ ...receipt, purchases: some }).transactions).toHaveLength(2_000);
});
