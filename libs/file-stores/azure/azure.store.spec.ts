import { randomBytes } from 'node:crypto';
import { type AzurePeer, startAzurePeer } from '../../../test/support/file-stores/azure-peer.js';
import { testEnvironment, type TestEnvironment } from '../../../test/support/file-stores/environment.js';
import { type FileStore, openFileStore, partBytes, testFileStore, type UploadHandle } from '../index.js';
import type { AzureSettings } from '../settings.js';

describe('a container of Azure', () => {
  let peer: AzurePeer;
  let environment: TestEnvironment;
  let keys = 0;

  beforeAll(async () => {
    peer = await startAzurePeer();
  });
  beforeEach(() => {
    environment = testEnvironment({ retryDelaysMs: [] });
  });
  afterEach(() => environment.close());
  afterAll(() => peer.close());

  const nextKey = (): string => `acme/2026-11-27/transactions_${++keys}.csv.gz`;
  const open = (settings: AzureSettings): FileStore =>
    openFileStore({ kind: 'azure', ...settings }, environment);

  const byConnectionString = (): AzureSettings => ({
    container: peer.container,
    connection_string: peer.connectionString,
  });
  const bySas = (permissions = 'racwdl'): AzureSettings => ({
    container_url: `${peer.endpoint}/${peer.container}`,
    sas_token: `?${peer.sasToken(permissions)}`,
  });
  const forms: [string, () => AzureSettings][] = [
    ['a connection string with a key', byConnectionString],
    [
      'a connection string with a SAS token',
      () => ({
        container: peer.container,
        connection_string: `BlobEndpoint=${peer.endpoint}/;SharedAccessSignature=${peer.sasToken('racwdl')}`,
      }),
    ],
    ['the URL of the container with a SAS token', bySas],
  ];

  it.each(forms)('passes the test with %s', async (_form, settings) => {
    const result = await testFileStore(open(settings()), "a b/ü%&+=(x)!'*", () => Date.now());
    expect(result.steps.map(({ name, ok, message }) => [name, ok, message])).toEqual([
      ['write', true, undefined],
      ['read', true, undefined],
      ['delete', true, undefined],
    ]);
  });

  it('sends the account and its key to the host of the account', async () => {
    const seen: string[] = [];
    const { dispatcher } = environment.connections;
    const connections = {
      ...environment.connections,
      dispatcher: Object.assign(Object.create(dispatcher) as typeof dispatcher, {
        dispatch: (options: { origin?: string | URL; path: string }) => {
          seen.push(`${String(options.origin)}${options.path}`);
          throw Object.assign(new Error('closed'), { code: 'ECONNREFUSED' });
        },
      }),
    };
    const store = openFileStore(
      { kind: 'azure', container: 'exports', account_name: 'acme', account_key: peer.key },
      { ...environment, connections },
    );
    await expect(store.get('a/b', 1)).rejects.toMatchObject({ code: 'unreachable' });
    expect(seen).toEqual(['https://acme.blob.core.windows.net/exports/a/b']);
  });

  it.each(forms)('stores a file of three parts with %s', async (_form, settings) => {
    const store = open(settings());
    const parts = [randomBytes(partBytes(1)), randomBytes(partBytes(2)), Buffer.from('end')];
    const whole = Buffer.concat(parts);
    const handle = await store.open(nextKey());
    const tags = await Promise.all(parts.map((bytes, index) => store.writePart(handle, index + 1, bytes)));
    await expect(store.get(handle.key, 1)).rejects.toMatchObject({ code: 'not_found' });

    await store.complete(structuredClone(handle), tags.reverse(), whole.length);
    await store.complete(handle, tags, whole.length);

    expect((await store.get(handle.key, whole.length)).equals(whole)).toBe(true);
  });

  async function started(store: FileStore, text: string, key = nextKey()): Promise<UploadHandle> {
    const handle = await store.open(key);
    await store.writePart(handle, 1, Buffer.from(text));
    return handle;
  }
  const tagOf = (handle: UploadHandle): { number: number; tag: string } => ({
    number: 1,
    tag: Buffer.from(`${handle.id}-000001`).toString('base64'),
  });

  it('never overwrites a file', async () => {
    const store = open(byConnectionString());
    const key = nextKey();
    await store.put(key, Buffer.from('first'));
    await store.put(key, Buffer.from('first'));
    await expect(store.put(key, Buffer.from('second'))).rejects.toMatchObject({ code: 'already_exists' });
    const handle = await started(store, 'others', key);
    await expect(store.complete(handle, [tagOf(handle)], 6)).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await store.get(key, 5)).toEqual(Buffer.from('first'));
  });

  it('never overwrites a file without the permission to look it up', async () => {
    const key = nextKey();
    await open(byConnectionString()).put(key, Buffer.from('first'));
    const store = open(bySas('cw'));
    const handle = await started(store, 'others', key);
    await expect(store.complete(handle, [tagOf(handle)], 6)).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  it('reports an upload whose blocks are gone', async () => {
    const store = open(byConnectionString());
    const handle = await store.open(nextKey());
    await expect(store.complete(handle, [tagOf(handle)], 3)).rejects.toMatchObject({ code: 'upload_lost' });
    expect(await store.abort(handle)).toBeNull();
  });

  it.each([
    ['access_denied', () => ({ ...byConnectionString(), connection_string: wrongKey() })],
    ['access_denied', () => bySas('r')],
    ['not_found', () => ({ ...byConnectionString(), container: 'missing' })],
  ])('reports %s', async (code, settings) => {
    const { ok, steps } = await testFileStore(open(settings()), '', () => 0);
    expect(ok).toBe(false);
    expect(steps).toEqual([expect.objectContaining({ name: 'write', code })]);
    expect(steps[0]?.message).not.toMatch(/sig=|AccountKey|SharedKey /);
  });

  const wrongKey = (): string =>
    peer.connectionString.replace(/AccountKey=[^;]+/, `AccountKey=${'A'.repeat(86)}==`);

  it.each<[string, AzureSettings]>([
    ['names no account', { container: 'a', connection_string: 'AccountKey=x' }],
    ['no account key', { container: 'a', connection_string: 'AccountName=acme' }],
    ['container is missing', { connection_string: 'AccountName=acme;AccountKey=eHg=' }],
    ['not a URL', { container: 'a', connection_string: 'AccountName=a;AccountKey=eHg=;BlobEndpoint=acme' }],
    ['account key is missing', { container: 'a', account_name: 'acme' }],
    ['not a URL without parameters', { container_url: 'https://acme/a?sig=x', sas_token: 'sig=y' }],
  ])('refuses settings: %s', (message, settings) => {
    expect(() => open(settings)).toThrow(message);
  });
});
