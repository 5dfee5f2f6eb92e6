import { testEnvironment } from '../../test/support/file-stores/environment.js';
import { type FileStoreEnvironment, type FileStoreSettings, openFileStore } from './index.js';

/** The first address that a store calls. */
async function addressOf(settings: FileStoreSettings): Promise<string> {
  const environment = testEnvironment({ retryDelaysMs: [] });
  const seen: string[] = [];
  const dispatcher = Object.assign(Object.create(environment.connections.dispatcher), {
    dispatch: ({ origin, path }: { origin: URL | string; path: string }) => {
      seen.push(`${String(origin)}${path}`);
      throw Object.assign(new Error('closed'), { code: 'ECONNREFUSED' });
    },
  }) as FileStoreEnvironment['connections']['dispatcher'];
  const connections = { ...environment.connections, dispatcher };
  const store = openFileStore(settings, { ...environment, connections });
  await expect(store.get('acme/a.csv', 1)).rejects.toMatchObject({ code: 'unreachable' });
  await environment.close();
  return seen.join(' ');
}

const keys = { access_key_id: 'id', secret_access_key: 'secret' };

describe('a file store', () => {
  it.each<[string, FileStoreSettings]>([
    ['https://storage.googleapis.com/acme/acme/a.csv', { kind: 'gcs', bucket: 'acme', ...keys }],
    ['https://acme.s3.us-east-1.amazonaws.com/acme/a.csv', { kind: 's3', bucket: 'acme', ...keys }],
    [
      'https://s3.eu-west-1.amazonaws.com/acme.com/acme/a.csv',
      { kind: 's3', bucket: 'acme.com', region: 'eu-west-1', ...keys },
    ],
    [
      'https://acme.s3.cn-north-1.amazonaws.com.cn/acme/a.csv',
      { kind: 's3', bucket: 'acme', region: 'cn-north-1', ...keys },
    ],
    [
      'https://1a2b.r2.cloudflarestorage.com/acme/acme/a.csv',
      {
        kind: 's3',
        bucket: 'acme',
        region: 'auto',
        endpoint: 'https://1a2b.r2.cloudflarestorage.com',
        ...keys,
      },
    ],
  ])('calls %s', async (address, settings) => {
    expect(await addressOf(settings)).toBe(address);
  });
});
