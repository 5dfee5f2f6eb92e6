import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRuntime } from '../../../test/support/import-bench.js';
import { importSettings } from './import-settings.js';
import type { AskSecret, Environment, Flags } from './settings.js';

const needed = { sourceKey: 'sk_source12345', to: 'https://tenure.example.com/', toKey: 'sk_target12345' };

describe('settings of an import', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-settings-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const read = (flags: Flags, env: Environment = {}, ask: AskSecret = null) =>
    importSettings(flags, env, ask, new TestRuntime(0));

  it('reads them from flags, else from variables, else asks for them', async () => {
    const env = {
      TENURE_SOURCE_KEY: 'atk_fromvariable',
      TENURE_URL: 'http://10.1.2.3:8787',
      TENURE_KEY: 'sk_fromvariable',
      TENURE_SOURCE_PROJECT: 'proj1',
      TENURE_SOURCE_V1_KEY: 'sk_v1fromvariable',
    };
    expect(await read({}, env)).toMatchObject({
      source: { key: 'atk_fromvariable', project: 'proj1', v1Key: 'sk_v1fromvariable' },
      target: { url: 'http://10.1.2.3:8787', key: 'sk_fromvariable', project: null },
      concurrency: 4,
      pageSize: 50,
      publicKeys: true,
      resolveStoreIds: true,
    });
    expect((await read(needed, env)).source?.key).toBe('sk_source12345');
    const questions: string[] = [];
    const ask = (question: string) => {
      questions.push(question);
      return Promise.resolve(' sk_typed12345\n');
    };
    const asked = await read({ to: 'https://tenure.example.com/v2/' }, {}, ask);
    expect([asked.source?.key, asked.target]).toEqual([
      'sk_typed12345',
      { key: 'sk_typed12345', url: 'https://tenure.example.com', project: null },
    ]);
    expect(questions).toHaveLength(2);
  });

  it.each<[string, Flags, RegExp]>([
    ['a public key as source key', { sourceKey: 'appl_Abcdefgh' }, /--source-key takes a secret key/],
    ['no source key', { sourceKey: undefined }, /--source-key \(or TENURE_SOURCE_KEY\) is missing/],
    ['no target', { to: undefined }, /--to \(or TENURE_URL\) is missing/],
    ['a target that is no URL', { to: 'tenure' }, /--to takes a URL/],
    ['a target without TLS', { to: 'http://tenure.example.com' }, /use https/],
    ['a public address without TLS', { to: 'http://8.8.8.8' }, /use https/],
    ['a limit that is no number', { limit: 'abc' }, /--limit takes a whole number of at least 1/],
    ['a limit of zero', { limit: '0' }, /--limit/],
    ['too many at once', { concurrency: '33' }, /--concurrency takes a whole number from 1 to 32/],
    ['too large a page', { pageSize: '101' }, /--page-size/],
    ['another environment', { environment: 'staging' }, /--environment takes production, sandbox, both/],
    ['another kind of source', { from: 'spreadsheet' }, /--from takes api, export/],
    ['a kind of file without a file', { from: 'json' }, /--from json needs --file/],
    ['a file without its kind', { file: ['x'] }, /--file needs --from/],
    ['a file that is not there', { from: 'json', file: ['/no/such/file'] }, /--file: .*ENOENT/],
    ['a token file that is not there', { googleTokens: '/no/such/file' }, /--google-tokens: .*ENOENT/],
    ['an id file that is not there', { ids: '/no/such/file' }, /--ids: .*ENOENT/],
    ['events without a confirmation', { emitEvents: true }, /confirm with --yes/],
    ['a v1 key that is none', { sourceV1Key: 'appl_x' }, /--source-v1-key/],
  ])('refuses %s as wrong usage', async (_, flags, message) => {
    const failure = read({ ...needed, ...flags });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toMatchObject({ exitCode: 2 });
    await expect(failure).rejects.not.toThrow(/sk_source12345|sk_target12345|Abcdefgh/);
  });

  it('accepts http for loopback and private addresses', async () => {
    for (const to of [
      'http://localhost:1',
      'http://127.0.0.1',
      'http://[::1]:8787',
      'http://192.168.1.2',
      'http://tenure:8787',
    ]) {
      expect((await read({ ...needed, to })).target.url).toBe(to);
    }
  });

  it('reads ids from a JSON array, from lines and from a verify report', async () => {
    const file = join(folder, 'ids');
    const idsOf = async (text: string) => {
      await writeFile(file, text);
      return (await read({ ...needed, ids: file })).ids;
    };
    expect(await idsOf('["a","b b","a"]')).toEqual(['a', 'b b']);
    expect(await idsOf('\uFEFFa\r\n\r\n$RCAnonymousID:1\n')).toEqual(['a', '$RCAnonymousID:1']);
    expect(await idsOf('{"kind":"verify","differences":[{"id":"a","type":"expiry"}]}')).toEqual(['a']);
    await expect(idsOf('{"kind":"import"}')).rejects.toMatchObject({ exitCode: 2 });
    await expect(idsOf('[1]')).rejects.toMatchObject({ exitCode: 2 });
    await expect(idsOf('[')).rejects.toMatchObject({ exitCode: 2 });
  });
});
