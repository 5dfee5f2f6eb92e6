import { TestFiles } from '../testing/test-files.js';
import { verifySettings } from './verify-settings.js';

const flags = { sourceKey: 'sk_a', to: 'https://tenure.example.com', toKey: 'sk_b' };

describe('flags of import verify', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  it('has defaults', async () => {
    expect(await verifySettings(flags, {}, null)).toMatchObject({
      concurrency: 4,
      sample: null,
      ids: null,
      toleranceMs: 60_000,
      environment: 'both',
      deep: false,
      fix: false,
      json: false,
      quiet: false,
    });
  });

  it('reads them', async () => {
    const ids = await files.write('ada\nbob\n');
    const given = {
      sample: '10',
      tolerance: '0',
      environment: 'sandbox',
      deep: true,
      fix: true,
      json: true,
      ids,
    };
    expect(await verifySettings({ ...flags, ...given }, {}, null)).toMatchObject({
      sample: 10,
      toleranceMs: 0,
      environment: 'sandbox',
      deep: true,
      fix: true,
      json: true,
      ids: ['ada', 'bob'],
    });
  });

  it.each([
    [{ sample: 'some' }, '--sample takes a whole number of at least 1'],
    [{ sample: '0' }, '--sample takes a whole number of at least 1'],
    [{ sample: '1', limit: '2' }, '--sample and --limit are one'],
    [{ tolerance: '-1' }, '--tolerance takes a whole number'],
    [{ environment: 'test' }, '--environment takes production, sandbox, both'],
    [{ ids: '/nowhere/ids' }, '--ids: /nowhere/ids cannot be read'],
    [{ sourceKey: 'appl_public' }, '--source-key takes a secret key'],
    [{ to: undefined }, '--to (or TENURE_URL) is missing'],
  ])('refuses wrong flags: %j', async (wrong, message) => {
    await expect(verifySettings({ ...flags, ...wrong }, {}, null)).rejects.toMatchObject({
      message: expect.stringContaining(message) as string,
      exitCode: 2,
    });
  });
});
