import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { receiptContent } from '../../../../test/support/fake-app-store/app-receipt.js';
import { appleChain, certificate, pemOf } from '../../../../test/support/fake-app-store/certificates.js';
import { type ContainerSigning, signedContainer } from '../../../../test/support/fake-app-store/cms.js';
import { FakeAppStore } from '../../../../test/support/fake-app-store/fake-app-store.js';
import { isNightly } from '../../../../test/support/nightly.js';
import { ManualClock } from '../../../kernel/index.js';
import { NotGenuine } from '../not-genuine.js';
import { readToken, type TokenApp } from '../receipt-token.js';
import { receiptRoots } from '../roots.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const YEAR_MS = 365 * 86_400_000;
const store = new FakeAppStore(new ManualClock(NOW_MS), 'com.example.app', 6443000000);
const { root, intermediate, leaf } = store.receiptChain;
const roots = receiptRoots([root.der]);
const app: TokenApp = { bundleId: store.bundleId, xcodeCertificate: null, allowUnsignedReceipts: false };

const purchases = [
  { transactionId: '1001', originalTransactionId: '1000', productId: 'pro_monthly', purchasedAtMs: NOW_MS },
];
const content = receiptContent({ bundleId: store.bundleId, createdAtMs: NOW_MS, purchases });
const genuine = (signing: Partial<ContainerSigning> = {}): string => store.appReceipt({ purchases }, signing);
const read = (token: string, as: Partial<TokenApp> = {}) =>
  readToken(token, { ...app, ...as }, roots, NOW_MS);

/** A receipt signed by a chain that differs slightly from Apple's. */
function under(changes: Parameters<typeof appleChain>[0], createdAtMs: number | null = NOW_MS): string {
  const chain = appleChain({ root, ...changes, leaf: { rsa: true, ...changes?.leaf } });
  const certificates = [chain.leaf, chain.intermediate, chain.root];
  return store.appReceipt(
    { purchases, createdAtMs },
    { certificates, signers: [{ certificate: chain.leaf }] },
  );
}

function changed(token: string, change: (bytes: Buffer) => Buffer): string {
  return change(Buffer.from(token, 'base64')).toString('base64');
}

const foreignRoot = certificate({ commonName: root.commonName, isCa: true });
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const attributes = {};
/** Issued by the right intermediate, but with a key type that never signs receipts. */
const ecLeaf = certificate({
  commonName: leaf.commonName,
  issuer: intermediate,
  marks: ['1.2.840.113635.100.6.11.1'],
});
const anotherLeaf = certificate({ commonName: 'Another', issuer: intermediate, rsa: true });

const forged: Record<string, () => string> = {
  'with one byte changed': () => {
    return changed(genuine(), (bytes) => {
      bytes[bytes.indexOf('1001')] = '2'.charCodeAt(0);
      return bytes;
    });
  },
  'with other content under the signature': () =>
    genuine({ shownContent: receiptContent({ bundleId: app.bundleId, createdAtMs: NOW_MS, purchases: [] }) }),
  'without a signer': () => genuine({ signers: [] }),
  'without a signer and certificates': () => genuine({ signers: [], certificates: [] }),
  'without its certificates': () => genuine({ certificates: [] }),
  'without the certificate of the signer': () => genuine({ certificates: [intermediate, root] }),
  'without the intermediate': () => genuine({ certificates: [leaf, root] }),
  'with two signers': () => genuine({ signers: [{ certificate: leaf }, { certificate: leaf }] }),
  'with a foreign second signer': () =>
    genuine({ signers: [{ certificate: leaf }, { certificate: anotherLeaf }] }),
  'signed with another key under the right certificates': () =>
    genuine({ signers: [{ certificate: leaf, key: otherKey }] }),
  'signed with an EC key': () =>
    genuine({ certificates: [ecLeaf, intermediate, root], signers: [{ certificate: ecLeaf }] }),
  'signed with SHA-512': () => genuine({ signers: [{ certificate: leaf, digest: 'sha512' }] }),
  'under a foreign root': () => under({ root: foreignRoot }),
  'under a foreign root, with the right one beside it': () => {
    const chain = appleChain({ root: foreignRoot, leaf: { rsa: true } });
    return genuine({
      certificates: [chain.leaf, chain.intermediate, root],
      signers: [{ certificate: chain.leaf }],
    });
  },
  "with a stranger's leaf beside the right intermediate": () => {
    const chain = appleChain({ root: foreignRoot, leaf: { rsa: true } });
    return genuine({
      certificates: [chain.leaf, intermediate, root],
      signers: [{ certificate: chain.leaf }],
    });
  },
  'whose signer lacks the mark of receipts': () => under({ leaf: { marks: [] } }),
  'whose intermediate lacks the mark of Apple': () => under({ intermediate: { marks: [] } }),
  'whose intermediate may not issue': () => under({ intermediate: { isCa: false } }),
  'signed by the leaf of a leaf': () => {
    const marks = ['1.2.840.113635.100.6.11.1'];
    const below = certificate({ commonName: 'Below', issuer: leaf, rsa: true, marks });
    return genuine({ certificates: [below, leaf, intermediate, root], signers: [{ certificate: below }] });
  },
  'signed by an intermediate below the intermediate': () => {
    const more = { isCa: true, marks: ['1.2.840.113635.100.6.2.1'] };
    const second = certificate({ commonName: 'Second', issuer: intermediate, ...more });
    const marks = ['1.2.840.113635.100.6.11.1'];
    const below = certificate({ commonName: 'Below', issuer: second, rsa: true, marks });
    return genuine({
      certificates: [below, second, intermediate, root],
      signers: [{ certificate: below }],
    });
  },
  'of before its certificates': () => under({ leaf: { fromMs: NOW_MS + YEAR_MS } }),
  'of after its certificates': () => under({ leaf: { toMs: NOW_MS - YEAR_MS } }),
  'of after its intermediate': () => under({ intermediate: { toMs: NOW_MS - YEAR_MS } }),
  'that does not say when it was made': () => under({}, null),
  'with bytes after it': () => changed(genuine(), (bytes) => Buffer.concat([bytes, Buffer.from([5, 0])])),
  'cut short': () => changed(genuine(), (bytes) => bytes.subarray(0, -1)),
  'with attributes of other content': () =>
    genuine({ signers: [{ certificate: leaf, attributes: { messageDigest: Buffer.alloc(32) } }] }),
  'with attributes of another content type': () =>
    genuine({ signers: [{ certificate: leaf, attributes: { contentType: '1.2.840.113549.1.7.5' } }] }),
  'with attributes, and other content': () =>
    genuine({
      signers: [{ certificate: leaf, attributes }],
      shownContent: receiptContent({ bundleId: app.bundleId, createdAtMs: NOW_MS, purchases: [] }),
    }),
  'of another content type': () => genuine({ contentType: '1.2.840.113549.1.7.5' }),
  'that is content without a container': () => content.toString('base64'),
  'that claims Xcode under the signature of Apple': () =>
    store.appReceipt({ purchases, environment: 'Xcode' }),
  'whose content is no receipt': () => {
    const signing = { certificates: [leaf, intermediate, root], signers: [{ certificate: leaf }] };
    return signedContainer(Buffer.from([0x31, 0x00]), signing).toString('base64');
  },
  'of the old form (purchase-info)': () => {
    const info = Buffer.from(`{ "bid" = "${app.bundleId}"; "transaction-id" = "1001"; }`).toString('base64');
    return Buffer.from(`{ "signature" = "xx"; "purchase-info" = "${info}"; }`).toString('base64');
  },
};

describe('app receipts', () => {
  it.each<[string, Partial<ContainerSigning>]>([
    ['with SHA-256', {}],
    ['with SHA-1', { signers: [{ certificate: leaf, digest: 'sha1' }] }],
    ['with signed attributes', { signers: [{ certificate: leaf, attributes }] }],
    ['in pieces of unknown length', { indefinite: true }],
    ['with certificates in another order', { certificates: [root, anotherLeaf, intermediate, leaf] }],
  ])('accepts those signed by Apple: %s', (_, signing) => {
    const token = read(genuine(signing));
    expect(token).toMatchObject({
      form: 'app_receipt',
      receipt: { bundleId: app.bundleId, createdAtMs: NOW_MS, transactions: [{ transactionId: '1001' }] },
    });
  });

  it('verifies them as of their creation: certificates expire, receipts do not', () => {
    const toMs = NOW_MS - YEAR_MS;
    expect(read(under({ leaf: { toMs }, intermediate: { toMs } }, toMs - 1))).toMatchObject({
      form: 'app_receipt',
    });
  });

  it.each(Object.keys(forged))('refuses them %s', (name) => {
    const token = forged[name]?.() ?? '';
    expect(() => read(token)).toThrow(NotGenuine);
    expect(() => read(token, { xcodeCertificate: pemOf(anotherLeaf) })).toThrow(NotGenuine);
  });

  it("accepts only Apple's published roots by default", () => {
    expect(() => readToken(genuine(), app, receiptRoots(), NOW_MS)).toThrow(NotGenuine);
  });

  it('rejects every changed byte of a genuine receipt', () => {
    const token = genuine({ signers: [{ certificate: leaf, attributes }] });
    const [whole, expected] = [Buffer.from(token, 'base64'), read(token)];
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const broken = Buffer.from(whole);
        broken[at] = (broken[at] ?? 0) ^ difference;
        try {
          // Only the content of the container is signed.
          expect(read(broken.toString('base64'))).toEqual(expected);
        } catch (error) {
          expect(error).toBeInstanceOf(NotGenuine);
        }
      }),
      { numRuns: isNightly ? 1_000 : 300 },
    );
  });

  it('refuses malformed bytes without any other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(() => read(Buffer.concat([Buffer.from([0x30]), bytes]).toString('base64'))).toThrow(
          NotGenuine,
        );
      }),
    );
    const deep = Buffer.concat([Buffer.alloc(100_000, Buffer.from([0x30, 0x80])), Buffer.alloc(1_000)]);
    const many = Buffer.concat([
      Buffer.from([0x30, 0x83, 0x0f, 0xff, 0xfe]),
      Buffer.alloc(0x0ffffe, '\x05\x00'),
    ]);
    const endless = Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]);
    for (const bytes of [deep, many, endless, Buffer.from([0x30, 0x00]), Buffer.from([0x3f, 0x01])]) {
      expect(() => read(bytes.toString('base64'))).toThrow(NotGenuine);
    }
  });
});

describe('app receipts of StoreKit testing in Xcode', () => {
  const xcode = certificate({ commonName: 'StoreKit', issuer: root, rsa: true });
  const stranger = certificate({ commonName: 'StoreKit', issuer: root, rsa: true });
  const signed = (environment: string, by = xcode): string =>
    store.appReceipt(
      { purchases, environment },
      { certificates: [by], signers: [{ certificate: by }], indefinite: true },
    );
  const withCertificate = { xcodeCertificate: pemOf(xcode) };

  it('verifies them with the certificate that the developer uploaded', () => {
    expect(read(signed('Xcode'), withCertificate)).toMatchObject({ receipt: { environment: 'Xcode' } });
    expect(() => read(signed('Xcode'))).toThrow(NotGenuine);
    expect(() => read(signed('Xcode', stranger), withCertificate)).toThrow(NotGenuine);
    expect(() => read(signed('Xcode'), { xcodeCertificate: 'none' })).toThrow(NotGenuine);
  });

  it('accepts them without one if the developer allows unsigned receipts', () => {
    const as = { allowUnsignedReceipts: true };
    expect(read(signed('Xcode'), as)).toMatchObject({ receipt: { environment: 'Xcode' } });
    expect(read(signed('Xcode', stranger), { ...withCertificate, ...as })).toMatchObject({
      form: 'app_receipt',
    });
  });

  it.each(['Production', 'ProductionSandbox', 'Sandbox', ''])('never claim %j', (environment) => {
    for (const as of [withCertificate, { ...withCertificate, allowUnsignedReceipts: true }]) {
      expect(() => read(signed(environment), as)).toThrow(NotGenuine);
      expect(() => read(signed(environment, stranger), as)).toThrow(NotGenuine);
    }
  });
});
