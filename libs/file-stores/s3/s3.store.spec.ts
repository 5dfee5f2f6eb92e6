import { createHash, randomBytes } from 'node:crypto';
import { type S3Peer, startS3Peer } from '../../../test/support/file-stores/s3-peer.js';
import { testEnvironment, type TestEnvironment } from '../../../test/support/file-stores/environment.js';
import { type FileStore, openFileStore, partBytes, type PartTag } from '../index.js';
import type { FileStoreEnvironment } from '../environment.js';
import type { S3Settings } from '../settings.js';

describe('a store with the protocol of S3', () => {
  let peer: S3Peer;
  let environment: TestEnvironment;
  let keys = 0;

  beforeAll(async () => {
    peer = await startS3Peer();
  });
  beforeEach(() => {
    peer.requests.length = 0;
    peer.fault = () => undefined;
    peer.conditions = 'known';
    environment = testEnvironment();
  });
  afterEach(() => environment.close());
  afterAll(() => peer.close());

  const nextKey = (): string => `acme/2026-11-27/transactions_${++keys}.csv.gz`;

  function open(settings: Partial<S3Settings> = {}, changes: Partial<FileStoreEnvironment> = {}): FileStore {
    const { accessKeyId, secretAccessKey } = peer.credentials;
    return openFileStore(
      {
        kind: 's3',
        bucket: 'exports',
        endpoint: peer.endpoint,
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
        ...settings,
      },
      { ...environment, ...changes },
    );
  }

  async function upload(store: FileStore, key: string, parts: readonly Buffer[]): Promise<void> {
    const handle = await store.open(key);
    const tags: PartTag[] = [];
    for (const [index, bytes] of parts.entries()) tags.push(await store.writePart(handle, index + 1, bytes));
    await store.complete(handle, tags, Buffer.concat(parts).length);
  }

  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => new Error('it did not fail'),
      (error: unknown) => error as Error,
    );

  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  it('stores a file of three parts, which is invisible until it is complete', async () => {
    const store = open();
    const key = nextKey();
    const parts = [randomBytes(partBytes(1)), randomBytes(partBytes(2)), randomBytes(77)];
    const handle = await store.open(key);
    const tags = await Promise.all(parts.map((bytes, index) => store.writePart(handle, index + 1, bytes)));
    await expect(store.get(key, 10)).rejects.toMatchObject({ code: 'not_found' });

    const whole = Buffer.concat(parts);
    await store.complete(structuredClone(handle), tags.reverse(), whole.length);

    expect(hash(await store.get(key, whole.length))).toBe(hash(whole));
    expect(peer.openUploads).not.toContain(handle.id);
  });

  it.each(["(x)!'* ü%&+=", 'a b/c?d#e', '日本/☃.csv'])('signs the key %s', async (name) => {
    const store = open();
    const key = `${nextKey()}/${name}`;
    await upload(store, key, [Buffer.from('1')]);
    expect(await store.get(key, 10)).toEqual(Buffer.from('1'));
    await store.delete(key);
    await expect(store.get(key, 10)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('puts the bucket into the host name of AWS', async () => {
    const port = { endpoint: `http://s3.eu-central-1.amazonaws.com:${peer.port}`, path_style: false };
    await open({ ...port, region: 'eu-central-1' }).put(nextKey(), Buffer.from('1'));
    expect(peer.requests.at(-1)?.host).toBe(`exports.s3.eu-central-1.amazonaws.com:${peer.port}`);
  });

  it.each([
    ['AES256' as const, { 'x-amz-server-side-encryption': 'AES256' }],
    [
      'aws:kms' as const,
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'key-1' },
    ],
  ])('asks for the encryption %s', async (encryption, headers) => {
    const store = open({ server_side_encryption: encryption, kms_key_id: 'key-1' });
    await upload(store, nextKey(), [Buffer.from('1')]);
    await store.put(nextKey(), Buffer.from('1'));
    const encrypted = peer.requests.filter((request) => 'x-amz-server-side-encryption' in request.headers);
    expect(encrypted.map(({ method }) => method)).toEqual(['POST', 'PUT']);
    for (const request of encrypted) expect(request.headers).toMatchObject(headers);
  });

  it.each(['known', 'ignored', 'not_implemented'] as const)(
    'never overwrites a file where conditions are %s',
    async (conditions) => {
      peer.conditions = conditions;
      const store = open();
      const key = nextKey();
      await store.put(key, Buffer.from('first'));
      await store.put(key, Buffer.from('first'));
      await expect(store.put(key, Buffer.from('second'))).rejects.toMatchObject({ code: 'already_exists' });
      await expect(upload(store, key, [Buffer.from('others')])).rejects.toMatchObject({
        code: 'already_exists',
      });
      expect(await store.get(key, 10)).toEqual(Buffer.from('first'));
    },
  );

  it('detects a file that appears between the check and the completion', async () => {
    const store = open();
    const key = nextKey();
    let isMissing = true;
    peer.fault = ({ method, headers }) => {
      if (method !== 'GET' || !('range' in headers) || !isMissing) return undefined;
      isMissing = false;
      return { status: 404, code: 'NoSuchKey' };
    };
    await store.put(key, Buffer.from('theirs'));
    await expect(upload(store, key, [Buffer.from('1')])).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store.get(key, 10)).toEqual(Buffer.from('theirs'));
  });

  it('repeats a part after 503, with pauses that double', async () => {
    let failures = 2;
    peer.fault = ({ query }) =>
      query['partNumber'] === '2' && failures-- > 0 ? { status: 503, code: 'SlowDown' } : undefined;
    const key = nextKey();
    await upload(open(), key, [randomBytes(partBytes(1)), Buffer.from('2')]);
    expect(environment.slept).toEqual([1000, 2000]);
  });

  it('gives up on a part after six repetitions', async () => {
    peer.fault = ({ query }) =>
      query['partNumber'] === '1'
        ? { status: 503, code: 'SlowDown', message: 'Reduce your rate.' }
        : undefined;
    const store = open();
    const handle = await store.open(nextKey());
    await expect(store.writePart(handle, 1, Buffer.from('1'))).rejects.toMatchObject({
      code: 'store_error',
      message: 'The store answered with an error (503 SlowDown): Reduce your rate.',
    });
    expect(environment.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000]);
    expect(await store.abort(handle)).toBeNull();
    expect(peer.openUploads).not.toContain(handle.id);
  });

  it('repeats a part whose connection was cut in the middle', async () => {
    let cuts = 1;
    peer.fault = ({ query }) => (query['partNumber'] === '1' && cuts-- > 0 ? 'cut' : undefined);
    const bytes = randomBytes(partBytes(1));
    const key = nextKey();
    const store = open();
    await upload(store, key, [bytes]);
    expect(environment.slept).toHaveLength(1);
    expect(hash(await store.get(key, bytes.length))).toBe(hash(bytes));
  });

  it('fails with timeout if no byte moves', async () => {
    peer.fault = ({ query }) => (query['partNumber'] === '1' ? 'silent' : undefined);
    const handle = await open().open(nextKey());
    const impatient = open({}, { idleMs: 50, retryDelaysMs: [] });
    await expect(impatient.writePart(handle, 1, randomBytes(100_000))).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  it('ends a part when its signal is aborted', async () => {
    const stop = new AbortController();
    peer.fault = ({ query }) => {
      if (query['partNumber'] !== '1') return undefined;
      stop.abort(new Error('the lease has ended'));
      return 'silent';
    };
    const store = open();
    const handle = await store.open(nextKey());
    await expect(store.writePart(handle, 1, Buffer.from('1'), stop.signal)).rejects.toThrow(
      'the lease has ended',
    );
  });

  it('counts a completion whose answer was lost as done', async () => {
    let losses = 1;
    peer.fault = ({ method, query }) =>
      method === 'POST' && query['uploadId'] !== undefined && losses-- > 0 ? 'lost' : undefined;
    const store = open();
    const key = nextKey();
    await upload(store, key, [Buffer.from('all')]);
    expect(await store.get(key, 10)).toEqual(Buffer.from('all'));
  });

  it('completes twice, and reports a lost upload', async () => {
    const store = open();
    const handle = await store.open(nextKey());
    const tag = await store.writePart(handle, 1, Buffer.from('all'));
    await store.complete(handle, [tag], 3);
    await store.complete(handle, [tag], 3);
    await store.delete(handle.key);
    await expect(store.complete(handle, [tag], 3)).rejects.toMatchObject({ code: 'upload_lost' });
    expect(await store.abort(handle)).toBeNull();
  });

  it('fails a completion that is answered with 200 and an error', async () => {
    const text = '<Error><Code>InternalError</Code><Message>Try again.</Message></Error>';
    let failures = 1;
    peer.fault = ({ method, query }) =>
      method === 'POST' && query['uploadId'] !== undefined && failures-- > 0
        ? { status: 200, body: `   ${text}` }
        : undefined;
    await upload(open(), nextKey(), [Buffer.from('1')]);
    expect(environment.slept).toHaveLength(1);
  });

  it('returns a refused abort as a warning', async () => {
    const store = open();
    const handle = await store.open(nextKey());
    peer.fault = () => ({ status: 403, code: 'AccessDenied', message: 'Retention is on' });
    expect(await store.abort(handle)).toBe(
      `The unfinished upload of ${handle.key} was not removed. ` +
        'The store refused the credentials, or a permission is missing (403 AccessDenied): Retention is on',
    );
  });

  it.each([
    [{ status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } }, 'wrong_region', 'eu-west-1'],
    [
      {
        status: 400,
        body: '<Error><Code>AuthorizationHeaderMalformed</Code><Region>us-west-2</Region></Error>',
      },
      'wrong_region',
      'us-west-2',
    ],
    [{ status: 307, headers: { location: 'http://169.254.169.254/' } }, 'wrong_region', 'not followed'],
    [{ status: 404, code: 'NoSuchBucket' }, 'not_found', 'NoSuchBucket'],
    [{ status: 401 }, 'access_denied', '401'],
    [{ status: 507 }, 'no_space', '507'],
    [{ status: 400, code: 'InvalidArgument' }, 'store_error', 'InvalidArgument'],
    [{ status: 418, body: 'x'.repeat(1_000_000) }, 'store_error', '418'],
  ])('classifies the failed answer %#', async (fault, code, text) => {
    peer.fault = () => fault;
    const failure = open().open(nextKey());
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(text);
    expect(peer.requests).toHaveLength(1);
  });

  it('refuses wrong credentials and a missing bucket', async () => {
    await expect(open({ secret_access_key: 'wrong' }).open(nextKey())).rejects.toMatchObject({
      code: 'access_denied',
    });
    await expect(open({ access_key_id: 'wrong' }).open(nextKey())).rejects.toMatchObject({
      code: 'access_denied',
    });
    await expect(open({ bucket: 'missing' }).open(nextKey())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('puts no credential of a store into a message', async () => {
    const { secretAccessKey } = peer.credentials;
    const message = `Bad key ${secretAccessKey}\u0000\n Signature=0123abcd, ${'long '.repeat(100)}`;
    peer.fault = () => ({ status: 403, code: 'AccessDenied', message });
    const failure = await failureOf(open().open(nextKey()));
    expect(failure.message).toContain('Bad key [masked] [masked], long long');
    expect(failure.message.length).toBeLessThan(400);
  });

  it('reports a refused address without a request', async () => {
    const connections = { ...environment.connections, refusalOf: () => 'This is not a public address.' };
    const store = open({ endpoint: 'http://127.0.0.1:1' }, { connections });
    await expect(store.open(nextKey())).rejects.toMatchObject({
      code: 'address_refused',
      message: 'This is not a public address.',
    });
  });

  it('reports a host that does not answer as unreachable', async () => {
    const store = open({ endpoint: 'http://127.0.0.1:1' }, { retryDelaysMs: [] });
    await expect(store.open(nextKey())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('reads no file that is larger than allowed', async () => {
    const store = open();
    const key = nextKey();
    await store.put(key, Buffer.from('123456'));
    await expect(store.get(key, 5)).rejects.toMatchObject({ code: 'store_error' });
  });
});
