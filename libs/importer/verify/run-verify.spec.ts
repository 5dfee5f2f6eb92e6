import { FakeTarget, TARGET_KEY } from '../../../test/support/fake-target.js';
import { FakeVendor, seedWorld, VENDOR_KEY } from '../../../test/support/fake-vendor/index.js';
import { TestRuntime } from '../../../test/support/import-bench.js';
import { runVerify } from './run-verify.js';
import type { VerifyReport } from './verify.model.js';

const NOW = Date.UTC(2026, 0, 2);

describe('import verify --fix', () => {
  let vendor: FakeVendor;
  let target: FakeTarget;

  beforeEach(async () => {
    vendor = new FakeVendor(
      seedWorld({ customers: 9, nowMs: NOW, lives: ['grant', 'iosActive', 'nothing'] }),
    );
    target = new FakeTarget();
    await Promise.all([vendor.start(), target.start()]);
    // Mimics a server's view of imported subscriptions: `grant` grants pro until a time, and so does iosActive.
    target.interfere = ({ method, path }) => {
      const [, id] = /\/customers\/([^/]+)\/(?:active_entitlements|subscriptions)$/.exec(path) ?? [];
      if (method !== 'GET' || id === undefined) return undefined;
      const imported = target.customers.get(decodeURIComponent(id));
      const items = (imported?.subscriptions ?? []).map((item, index) => ({
        id: `sub${index}`,
        gives_access: true,
        environment: item.environment,
        store_subscription_identifier: item.store_subscription_identifier,
        entitlement_id: target.of('entitlements').find(({ lookup_key }) => lookup_key === 'pro')
          ?.id as string,
        expires_at: item.current_period_ends_at,
      }));
      return { status: 200, body: { object: 'list', items, next_page: null } };
    };
  });

  afterEach(() => Promise.all([vendor.close(), target.close()]));

  async function verify(flags: object = {}) {
    const runtime = new TestRuntime(NOW);
    const sides = { to: target.url, toKey: TARGET_KEY, sourceKey: VENDOR_KEY, sourceUrl: vendor.baseUrl };
    const status = await runVerify({ ...sides, json: true, quiet: true, ...flags }, {}, null, runtime);
    return { status, report: JSON.parse(runtime.output) as VerifyReport, runtime };
  }

  it('imports again what differs and compares it again', async () => {
    const before = await verify();
    expect(before.status).toBe(1);
    expect(before.report.by_type.missing_in_target).toBe(9);
    expect(target.writes()).toEqual([]);

    const { status, report, runtime } = await verify({ fix: true });
    expect(report.differences).toEqual([]);
    expect(status).toBe(0);
    expect(report.fixed).toBe(9);
    expect([...target.customers.keys()].sort()).toEqual([...vendor.world.customers.keys()].sort());
    // The import's report is kept apart from the verify report.
    expect(runtime.errors).toContain('Import finished');

    target.calls.length = 0;
    expect(await verify({ fix: true })).toMatchObject({ status: 0, report: { fixed: 0 } });
    expect(target.writes()).toEqual([]);
  });

  it('reports what an import does not remove', async () => {
    await verify({ fix: true });
    const [id = ''] = vendor.world.customers.keys();
    const grant = vendor.world.customers.get(id)?.subscriptions[0];
    if (grant) grant.gives_access = false;
    const { status, report } = await verify({ fix: true });
    expect(status).toBe(1);
    expect(report.fixed).toBe(0);
    expect(report.differences.map(({ type }) => type)).toEqual(['entitlement_extra', 'subscription_count']);
  });

  it('stops when it is asked to', async () => {
    const runtime = new TestRuntime(NOW);
    runtime.requestStop();
    const sides = { to: target.url, toKey: TARGET_KEY, sourceKey: VENDOR_KEY, sourceUrl: vendor.baseUrl };
    await expect(runVerify({ ...sides, quiet: true }, {}, null, runtime)).rejects.toMatchObject({
      exitCode: 1,
    });
    expect(target.writes()).toEqual([]);
  });
});
