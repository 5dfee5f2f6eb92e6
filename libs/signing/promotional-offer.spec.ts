import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { type PromotionalOffer, signPromotionalOffer } from './index.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const offer: PromotionalOffer = {
  bundleId: 'com.example.app',
  keyId: 'KEY1234567',
  productId: 'pro_monthly',
  offerId: 'winter',
  username: '8F14E45F-CEEA-467F-A8F5-5F1C3F9D3B11',
  nonce: '5f1c3f9d-ceea-467f-a8f5-8f14e45f3b11',
  timestampMs: 1_767_323_045_678,
};

it('signs a promotional offer over its parts, joined by an invisible separator', () => {
  const text =
    'com.example.app\u2063KEY1234567\u2063pro_monthly\u2063winter\u20638f14e45f-ceea-467f-a8f5-5f1c3f9d3b11\u2063' +
    '5f1c3f9d-ceea-467f-a8f5-8f14e45f3b11\u20631767323045678';
  const signature = Buffer.from(signPromotionalOffer(pem, offer), 'base64');
  const publicKey = createPublicKey(privateKey);
  expect(verify('sha256', Buffer.from(text), publicKey, signature)).toBe(true);
  expect(verify('sha256', Buffer.from(text.replace('winter', 'summer')), publicKey, signature)).toBe(false);
});

it('refuses to sign a promotional offer with another kind of key, or without one', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const ed = generateKeyPairSync('ed25519').privateKey;
  for (const key of [other, ed]) {
    const text = key.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => signPromotionalOffer(text, offer)).toThrow();
  }
  expect(() => signPromotionalOffer('no key', offer)).toThrow();
});
