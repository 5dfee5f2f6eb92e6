import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expiryDayOf, problemOfSignature, type SeenAnswer } from '../../test/support/sdk-signature.js';
import { nonceOf, paramsHashHolds, type SdkAnswer, sdkSigner } from './index.js';
import { intermediateKey, signSdkAnswer } from './sdk-signature.js';

const DAY_MS = 86_400_000;
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const rootSeed = Buffer.alloc(32, 1);
const signer = sdkSigner(rootSeed);

const example: SdkAnswer = {
  key: 'appl_example',
  nonce: nonceOf('MTIzNDU2Nzg5MDEy'),
  path: '/v1/subscribers/identify',
  paramsHash:
    'app_user_id,new_app_user_id:sha256:141a4cd242b67e82edf4a78bb418d40a6a3870d215bc3dca7e5d9e93b0ef9a56',
  headersHash: 'X-Is-Sandbox:sha256:fcbcf165908dd18a9e49f7ff27810176db8e9f63b4352213741664245224f8aa',
  requestTimeMs: 1_700_000_000_123,
  etag: '0123456789abcdef',
  body: Buffer.from('{"ok":true}'),
};

function seen(answer: SdkAnswer): SeenAnswer {
  return {
    key: answer.key ?? '',
    nonce: answer.nonce?.toString('base64'),
    path: answer.path,
    paramsHash: answer.paramsHash ?? undefined,
    headersHash: answer.headersHash ?? undefined,
    requestTime: String(answer.requestTimeMs),
    etag: answer.etag ?? undefined,
    body: Buffer.from(answer.body),
  };
}

const problem = (header: string, answer: SdkAnswer, atMs = nowMs, rootKey = signer.publicKey) =>
  problemOfSignature(header, rootKey, seen(answer), atMs);

describe('the signature of an SDK answer', () => {
  it('matches the published example byte for byte', () => {
    const salt = Buffer.from(Array.from({ length: 16 }, (_, index) => index));
    const intermediate = intermediateKey(rootSeed, Buffer.alloc(32, 2), 30_000);
    expect(signer.publicKey).toBe('iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=');
    expect(signSdkAnswer(intermediate, example, salt)).toBe(
      'gTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5QwdQAAYci31Eg7V1AAkOdX9sS9WyAOMmB9DPmBYk32V2nMt4kbQx4lWwP5IR/+eGx/' +
        'AFbadDj1wMnL906djS4kTYmOBAABAgMEBQYHCAkKCwwNDg9R8W3BL4Ob+jXXQ8ree3dv6aOT0priMBl7xWXbNqTRgGbqXXG0YuxThyqAH5jY' +
        'ipbCo+JHp2k1LepX4VNn7MEO',
    );
  });

  it('verifies for any answer in a client that was built with the root key', () => {
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value);
    const answers: fc.Arbitrary<SdkAnswer> = fc.record({
      key: optional(fc.string({ unit: 'grapheme' })),
      nonce: optional(fc.uint8Array({ minLength: 12, maxLength: 12 }).map((array) => Buffer.from(array))),
      path: fc.webPath(),
      paramsHash: optional(fc.string()),
      headersHash: optional(fc.string()),
      requestTimeMs: fc.nat(2 ** 42),
      etag: optional(fc.string()),
      body: fc.oneof(
        fc.uint8Array().map((array) => Buffer.from(array)),
        fc.string({ unit: 'binary' }),
      ),
    });
    fc.assert(
      fc.property(answers, fc.nat(4_000), (answer, day) => {
        const atMs = day * DAY_MS;
        expect(problem(signer.sign(answer, atMs), answer, atMs)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('does not verify if any part of the answer, the header or the root key differs', () => {
    const header = signer.sign(example, nowMs);
    const changes: Partial<SdkAnswer>[] = [
      { key: 'appl_other' },
      { key: null },
      { nonce: Buffer.alloc(12) },
      { nonce: null },
      { path: '/v1/subscribers/other' },
      { paramsHash: null },
      { headersHash: null },
      { requestTimeMs: example.requestTimeMs + 1 },
      { etag: null },
      { body: Buffer.from('{"ok":false}') },
    ];
    for (const change of changes) expect(problem(header, { ...example, ...change })).toBe('signature');
    expect(problem(header, example, nowMs, sdkSigner(Buffer.alloc(32, 9)).publicKey)).toBe('certificate');
    const bytes = Buffer.from(header, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(problem(changed.toString('base64'), example)).not.toBeNull();
    }
  });

  it('verifies when created on a thread of the pool', async () => {
    const header = await new Promise<string>((resolve, reject) => {
      signer.signOnThread(example, nowMs, (error, signature) => (error ? reject(error) : resolve(signature)));
    });
    expect(problem(header, example)).toBeNull();
    expect(problem(header, { ...example, etag: null })).toBe('signature');
  });

  it('never repeats, because of its salt', () => {
    expect(new Set(Array.from({ length: 50 }, () => signer.sign(example, nowMs))).size).toBe(50);
  });

  it('has an intermediate key that every replica derives on its own and that lasts 30 to 60 days more', () => {
    const certificates = new Set<string>();
    for (let day = 0; day < 365; day++) {
      const atMs = nowMs + day * DAY_MS;
      const [header, other] = [signer.sign(example, atMs), sdkSigner(rootSeed).sign(example, atMs)];
      const certificate = Buffer.from(header, 'base64').subarray(0, 100).toString('hex');
      expect(Buffer.from(other, 'base64').subarray(0, 100).toString('hex')).toBe(certificate);
      certificates.add(certificate);
      const daysLeft = expiryDayOf(header) - atMs / DAY_MS;
      expect(daysLeft).toBeGreaterThan(29);
      expect(daysLeft).toBeLessThanOrEqual(60);
    }
    expect(certificates.size).toBe(13);
  });

  it.each([0, 31, 33, 64])('refuses a root seed of %i bytes', (length) => {
    expect(() => sdkSigner(Buffer.alloc(length))).toThrow(RangeError);
  });
});

describe('the nonce', () => {
  it.each(['', 'MTIz', 'MTIzNDU2Nzg5MDEyMw==', 'MTIzNDU2Nzg5MD!y', ' MTIzNDU2Nzg5MDEy'])(
    'rejects %j',
    (text) => {
      expect(nonceOf(text)).toBeNull();
    },
  );
});

describe('the hash of parameters', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const body: Record<string, string> = { app_user_id: 'alice', new_app_user_id: 'bob', fetch_token: 'token' };
  const holds = (header: string): boolean => paramsHashHolds(header, (name) => body[name] ?? null);

  it('holds for its own values in their order', () => {
    expect(holds(example.paramsHash ?? '')).toBe(true);
    expect(holds(`new_app_user_id,app_user_id:sha256:${sha256('bob\0alice')}`)).toBe(true);
    expect(holds(`new_app_user_id,app_user_id:sha256:${sha256('alice\0bob')}`)).toBe(false);
  });

  it('treats an absent value as if it were not named', () => {
    expect(holds(`app_user_id,fetch_token,app_transaction:sha256:${sha256('alice\0token')}`)).toBe(true);
    expect(holds(`app_transaction:sha256:${sha256('')}`)).toBe(true);
  });

  it('accepts the two values of X-Is-Sandbox that every SDK sends', () => {
    const { headersHash } = example;
    expect(paramsHashHolds(headersHash ?? '', () => 'false')).toBe(true);
    expect(paramsHashHolds(headersHash ?? '', () => 'true')).toBe(false);
  });

  it.each(['', 'app_user_id', 'app_user_id:sha256:', `app_user_id:md5:${'0'.repeat(64)}`])(
    'does not hold for the malformed header %j',
    (header) => {
      expect(holds(header)).toBe(false);
    },
  );
});
