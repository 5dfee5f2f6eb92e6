import fc from 'fast-check';
import { appReceipt } from '../../../../test/support/fake-app-store/app-receipt.js';
import { readAppReceipt } from './app-receipt.js';
import { BerError, BerReader } from './ber.js';
import { newestTransaction, unsignedTransactions } from './unsigned-facts.js';

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
const read = (base64: string) => readAppReceipt(Buffer.from(base64, 'base64'));

it.each([false, true])('an app receipt is read (indefinite lengths: %s)', (indefinite) => {
  expect(read(appReceipt(receipt, indefinite))).toEqual({
    environment: 'Production',
    bundleId: 'com.example.app',
    originalApplicationVersion: '7',
    createdAtMs: NOW_MS,
    transactions: [
      {
        transactionId: '1001',
        originalTransactionId: '1000',
        productId: 'pro_monthly',
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

it('the newest purchase is the one that Apple is asked about', () => {
  const parsed = read(appReceipt(receipt));
  expect(parsed && newestTransaction(parsed)?.transactionId).toBe('1002');
  const empty = read(appReceipt({ ...receipt, purchases: [] }));
  expect(empty && newestTransaction(empty)).toBeNull();
});

it('an unsigned receipt is never of production', () => {
  const parsed = read(appReceipt(receipt));
  const transactions = parsed ? unsignedTransactions(parsed, NOW_MS) : [];
  expect(transactions.map(({ environment, type }) => [environment, type])).toEqual([
    ['Sandbox', 'Auto-Renewable Subscription'],
    ['Sandbox', 'Non-Consumable'],
    ['Sandbox', 'Auto-Renewable Subscription'],
  ]);
  expect(transactions[2]).toMatchObject({ offerDiscountType: 'FREE_TRIAL' });
});

it('bytes that are no receipt are none, and nothing worse happens', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(readAppReceipt(Buffer.from(bytes))).toBeNull();
    }),
  );
  const whole = Buffer.from(appReceipt(receipt), 'base64');
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const broken = Buffer.from(whole);
      broken[at] = byte;
      expect(() => readAppReceipt(broken)).not.toThrow();
    }),
  );
});

it('nesting, endless lengths and masses of values are refused at once', () => {
  const deep = Buffer.concat([Buffer.alloc(100_000, Buffer.from([0x30, 0x80])), Buffer.alloc(1_000)]);
  const many = Buffer.concat([
    Buffer.from([0x30, 0x83, 0x0f, 0xff, 0xfe]),
    Buffer.alloc(0x0ffffe, Buffer.from([5, 0])),
  ]);
  for (const bytes of [
    deep,
    many,
    Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x1f, 0x01]),
  ]) {
    expect(() => new BerReader(bytes).read()).toThrow(BerError);
    expect(readAppReceipt(bytes)).toBeNull();
  }
});

it('a large receipt is read whole', () => {
  const some = Array.from({ length: 2_000 }, (_, index) => ({
    transactionId: String(index),
    originalTransactionId: String(index),
    productId: 'coins',
    purchasedAtMs: NOW_MS - index,
  }));
  expect(read(appReceipt({ ...receipt, purchases: some }))?.transactions).toHaveLength(2_000);
});
