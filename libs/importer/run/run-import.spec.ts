import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeTarget, TARGET_KEY } from '../../../test/support/fake-target.js';
import {
  FakeVendor,
  seedWorld,
  VENDOR_KEY,
  VENDOR_PUBLIC_KEY,
  VENDOR_V1_KEY,
} from '../../../test/support/fake-vendor/index.js';
import { ImportBench, TestRuntime } from '../../../test/support/import-bench.js';

const NOW = Date.UTC(2026, 0, 2);

function customersOf(body: unknown): unknown[] {
  return (body as { customers?: unknown[] }).customers ?? [];
}

describe('an import', () => {
  let vendor: FakeVendor;
  let target: FakeTarget;
  let bench: ImportBench;

  async function arrange(options: Partial<Parameters<typeof seedWorld>[0]> = {}, nowMs?: () => number) {
    vendor = new FakeVendor(seedWorld({ customers: 66, nowMs: NOW, ...options }), nowMs);
    target = new FakeTarget();
    bench = await ImportBench.open();
    await Promise.all([vendor.start(), target.start()]);
  }

  afterEach(() => Promise.all([vendor.close(), target.close(), bench.close()]));

  const sides = () => ({
    sourceUrl: vendor.baseUrl,
    sourceKey: VENDOR_KEY,
    targetUrl: target.url,
    targetKey: TARGET_KEY,
  });
  const run = (flags = {}, runtime = new TestRuntime(NOW)) => bench.run(sides(), flags, runtime);
  const everyId = () => [...vendor.world.customers.keys()].sort();
  const importedIds = () => [...target.customers.keys()].sort();

  it('brings catalog, keys and every customer, and a second pass finds all of it', async () => {
    await arrange({ withExtremes: true });
    const { status, report, runtime } = await run();
    expect([status, runtime.errors]).toEqual([0, '']);
    expect(report).toMatchObject({
      complete: true,
      pass: 1,
      catalog: {
        apps: { created: 5 },
        products: { created: 10 },
        entitlements: { created: 2 },
        offerings: { created: 2 },
        packages: { created: 2 },
        virtual_currencies: { created: 1 },
      },
      public_keys: { set: 5, kept: 0, failed: 0 },
      customers: { read: 69, created: 69, failed: 0 },
      balances: 2,
    });
    expect(report.skipped).toContainEqual({
      kind: 'webhook',
      id: 'wh1',
      reason: 'set it up here: https://example.com/hooks (initial_purchase, renewal)',
    });
    expect(importedIds()).toEqual(everyId());
    expect(target.of('offerings').find(({ is_current }) => is_current)?.lookup_key).toBe('default');
    expect((await stat(bench.stateFile)).mode & 0o777).toBe(0o600);
    expect(target.customers.get('many-aliases')?.aliases).toHaveLength(1201);
    expect(target.customers.get('many-purchases')?.purchases).toHaveLength(300);
    expect(target.customers.get('many-attributes')?.attributes).toHaveLength(60);

    const again = await run();
    expect(again.report.catalog.products).toEqual({ created: 0, matched: 10, updated: 0 });
    expect(again.report.public_keys).toEqual({ set: 0, kept: 5, failed: 0 });
    expect(again.report).toMatchObject({ pass: 2, customers: { read: 69, updated: 69 } });
    const transactionReads = vendor.journal.filter(({ path }) => path.endsWith('/transactions'));
    expect(transactionReads.length).toBeLessThanOrEqual(again.report.transactions + report.transactions);
  });

  it('asks the source four times for a customer, and once more for each App Store or Google Play subscription', async () => {
    await arrange({ customers: 20, lives: ['nothing', 'iosActive'] });
    vendor.world.currencies = [];
    await run({ pageSize: '100' });
    const counts = new Map<string, number>();
    for (const { path } of vendor.journal) {
      const area = /\/(customers|subscriptions)\/[^/]+/.exec(path)?.[1] ?? 'other';
      counts.set(area, (counts.get(area) ?? 0) + 1);
    }
    // Before the first page, one customer serves to test the permissions.
    expect(counts.get('customers')).toBe(20 * 4 + 2);
    expect(counts.get('subscriptions')).toBe(10);
  });

  it('says what it would do and writes nothing in a dry run', async () => {
    await arrange();
    const { status, report } = await run({ dryRun: true });
    expect(status).toBe(0);
    expect(report).toMatchObject({ dry_run: true, customers: { read: 66, created: 0 } });
    expect(report.catalog.products).toMatchObject({ created: 10 });
    expect(report.subscriptions).toBeGreaterThan(40);
    expect(target.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it('sends no request when it is called wrongly', async () => {
    await arrange();
    await expect(bench.run({ ...sides(), sourceKey: VENDOR_PUBLIC_KEY })).rejects.toMatchObject({
      exitCode: 2,
    });
    await expect(run({ limit: 'abc' })).rejects.toMatchObject({ exitCode: 2 });
    await run({ limit: '1' });
    const [source, here] = [vendor.journal.length, target.calls.length];
    const elsewhere = { ...sides(), targetUrl: 'http://127.0.0.1:9' };
    await expect(bench.run(elsewhere)).rejects.toThrow(/belongs to another target/);
    await writeFile(bench.stateFile, '{"version":');
    await expect(run()).rejects.toMatchObject({ exitCode: 2 });
    expect(await readFile(bench.stateFile, 'utf8')).toBe('{"version":');
    expect([vendor.journal.length, target.calls.length]).toEqual([source, here]);
    const { status } = await run({ restart: true });
    expect(status).toBe(0);
  });

  it('names the permissions that a key lacks before it writes anything', async () => {
    await arrange();
    target.lacks = ['offerings', 'import/customers'];
    await expect(run()).rejects.toThrow(
      /lacks permissions: .*offerings:read_write.*customer_information:customers:read_write/,
    );
    target.lacks = [];
    vendor.switches.lacks = ['customer_information:purchases:read'];
    await expect(run()).rejects.toThrow(/403.*customer_information:purchases:read/);
    await expect(bench.run({ ...sides(), targetKey: 'sk_unknown12345' })).rejects.toThrow(
      /target answered 401/,
    );
    expect(target.writes()).toEqual([]);
  });

  it('outlives whatever the source answers now and then', async () => {
    await arrange({ customers: 12 });
    const faults = [
      500,
      502,
      503,
      504,
      423,
      429,
      'limited-without-headers',
      'reset',
      'cut-json',
      'html',
    ] as const;
    faults.forEach((fault, index) => vendor.faults.set(3 + index * 7, fault));
    const { status } = await run();
    expect(status).toBe(0);
    expect(importedIds()).toEqual(everyId());
  });

  it('gives a page up after six tries, reports its position, and continues from there', async () => {
    await arrange({ customers: 30, lives: ['nothing'] });
    const runtime = new TestRuntime(NOW);
    const isDown = (path: string) => /customers\/.*\/aliases$/.test(path) && target.customers.size >= 20;
    vendor.interfere = ({ path }) => (isDown(path) ? { status: 503, body: {} } : undefined);
    const failed = await run({ pageSize: '10', concurrency: '1' }, runtime);
    expect([failed.status, failed.report.complete, failed.report.customers.read]).toEqual([1, false, 20]);
    expect(runtime.errors).toMatch(/source failed at GET .*aliases: status 503.*continues after the last/);
    expect(runtime.slept.filter((ms) => ms >= 1000)).toEqual([1000, 2000, 4000, 8000, 16_000]);
    vendor.interfere = () => undefined;
    const before = vendor.journal.length;
    const resumed = await run({ pageSize: '10' });
    expect([resumed.status, resumed.report.pass]).toEqual([0, 1]);
    expect(resumed.report.customers).toMatchObject({ read: 30, created: 30 });
    const read = vendor.journal.slice(before).filter(({ path }) => path.endsWith('/aliases'));
    expect(read).toHaveLength(10);
  });

  it('keeps to the limits of the source and never asks while told to wait', async () => {
    const runtime = new TestRuntime(NOW);
    await arrange({ customers: 40, lives: ['nothing'] }, () => runtime.clock.nowMs());
    vendor.switches.limits = { customer: 60, project: 30, v1: 60 };
    for (const number of [20, 21, 22, 60]) vendor.faults.set(number, 429);
    const { status, report } = await run({ concurrency: '1' }, runtime);
    expect(status).toBe(0);
    expect(importedIds()).toEqual(everyId());
    const refused = vendor.journal.filter((entry) => entry.status === 429);
    expect(refused).toHaveLength(4);
    for (const { number, waitUntilMs = 0 } of refused) {
      expect(vendor.journal[number]?.atMs).toBeGreaterThanOrEqual(waitUntilMs);
    }
    expect(report.requests.rate_limited_seconds).toBe(6);
  });

  it('finds every customer when the list changes while it is walked, and hidden ones that others name', async () => {
    await arrange({ customers: 120, lives: ['nothing'], hiddenPart: 0.05 });
    const { world } = vendor;
    const hidden = [...world.customers.values()].filter((customer) => customer.hidden);
    const [owner] = [...world.customers.values()].filter((customer) => !customer.hidden);
    const { purchases } = seedWorld({ customers: 1, nowMs: NOW, lives: ['coins'] })
      .customers.values()
      .next().value!;
    // Each hidden customer was the first owner of a purchase.
    owner!.purchases = hidden.map(({ id }) => ({ ...purchases[0]!, id: `p${id}`, original_customer_id: id }));
    vendor.switches.touchedBetweenPages = 5;
    const { status, report } = await run({ pageSize: '10' });
    expect(status).toBe(0);
    expect(hidden.length).toBeGreaterThan(2);
    expect(importedIds()).toEqual(everyId());
    expect(report.customers.found_by_catch_up).toBeGreaterThanOrEqual(hidden.length);
  });

  it('ends, with a warning, when the list names an earlier page as its next', async () => {
    await arrange({ customers: 60, lives: ['nothing'] });
    vendor.switches.loops = true;
    vendor.switches.omitsLastPage = true;
    const { status, report, runtime } = await run({ pageSize: '10' });
    expect([status, target.customers.size, report.customers.found_by_catch_up]).toEqual([0, 60, 30]);
    expect(runtime.errors).toMatch(/customer list names a page twice/);
  });

  it('counts a customer who is gone meanwhile, and one whose list never ends is not read for ever', async () => {
    await arrange({ customers: 6, lives: ['nothing'] });
    const [gone, looping] = everyId();
    vendor.interfere = ({ path }) => {
      if (path.includes(encodeURIComponent(gone!))) return { status: 404, body: { message: 'gone' } };
      if (!path.endsWith(`${encodeURIComponent(looping!)}/aliases`)) return undefined;
      return {
        status: 200,
        body: { object: 'list', items: [{ id: looping }], next_page: `${path}?again=1` },
      };
    };
    const { status, report, runtime } = await run();
    expect([status, report.customers.gone, report.customers.read]).toEqual([0, 1, 5]);
    expect(runtime.errors).toMatch(/names a page twice.*aliases/);
  });

  it('drops customers that the target refuses, sends less when it is too much, and exits 1', async () => {
    await arrange({ customers: 9, lives: ['nothing'] });
    const customer = vendor.world.customers.values().next().value!;
    vendor.world.customers.set('with/slash', { ...customer, id: 'with/slash', aliases: ['with/slash'] });
    vendor.index();
    target.interfere = ({ path, body }) =>
      path.endsWith('import/customers') && customersOf(body).length > 2
        ? { status: 413, body: { message: 'too large' } }
        : undefined;
    const { status, report } = await run();
    expect(status).toBe(1);
    expect(report.customers).toMatchObject({ read: 10, created: 9, failed: 1 });
    expect(report.errors).toEqual([
      { id: 'with/slash', message: expect.stringMatching(/^customers\.\d\.id: .*not valid/) as string },
    ]);
    expect(report.complete).toBe(true);
  });

  it('finishes the page in flight when stopped, and the same command continues', async () => {
    await arrange({ customers: 30, lives: ['nothing'] });
    const runtime = new TestRuntime(NOW);
    target.interfere = ({ path, body }) => {
      if (path.endsWith('import/customers') && customersOf(body).length > 0 && target.customers.size === 10)
        runtime.requestStop();
      return undefined;
    };
    const stopped = await run({ pageSize: '10' }, runtime);
    expect([stopped.status, target.customers.size]).toEqual([1, 20]);
    expect(runtime.errors).toBe('Stopped. The same command continues after the last finished page.\n');
    expect(JSON.parse(await readFile(bench.stateFile, 'utf8'))).toMatchObject({
      phase: 'customers',
      pages_done: 2,
    });
    expect((await run({ pageSize: '10' })).report.customers).toMatchObject({ read: 30, created: 30 });
  });

  it('adds what only v1 knows, and does not ask it for customers whom it would create', async () => {
    await arrange({ customers: 5, lives: ['iosRefunded', 'iosTrial', 'nothing', 'playActive', 'grant'] });
    const { status } = await run({ sourceV1Key: VENDOR_V1_KEY });
    expect([status, vendor.createdByV1]).toEqual([0, []]);
    const subscriptions = [...target.customers.values()].flatMap((customer) => customer.subscriptions ?? []);
    expect(subscriptions.filter((each) => each.refunded_at)).toHaveLength(1);
    expect(subscriptions.filter((each) => each.period_type === 'trial')).toHaveLength(1);
    expect(vendor.journal.filter(({ path }) => path.startsWith('/v1/'))).toHaveLength(4);
  });

  it('gives Google Play subscriptions their tokens from a file, by order or by customer and product', async () => {
    await arrange({ customers: 3, lives: ['playActive', 'playYearly', 'playCancelled'] });
    const [first, second] = [...vendor.world.customers.values()];
    const order = first!.subscriptions[0]!.store_subscription_identifier.replace(/\.\.\d+$/, '');
    const file = join(bench.folder, 'tokens.csv');
    const rows = [
      'Order_ID;Purchase_Token;app_user_id;product_id',
      `${order};token-one;;`,
      `;token-two;"${second!.id}";premium`,
      'GPA.0000;token-three;;',
    ];
    await writeFile(file, rows.join('\r\n'));
    const { report } = await run({ googleTokens: file });
    const tokens = [...target.customers.values()]
      .flatMap((each) => each.subscriptions ?? [])
      .map((each) => each.purchase_token);
    expect(tokens.filter(Boolean).sort()).toEqual(['token-one', 'token-two']);
    expect(report.google_tokens).toEqual({ rows: 3, used: 2, unmatched: 1 });
    await writeFile(file, 'a,b\n1,2\n');
    await expect(run({ googleTokens: file })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('reads only some customers, by their ids or the first ones', async () => {
    await arrange({ customers: 20, lives: ['nothing'] });
    const limited = await run({ limit: '7', pageSize: '5' });
    expect([limited.report.complete, target.customers.size]).toEqual([false, 7]);
    const file = join(bench.folder, 'ids.txt');
    const [one, two] = everyId();
    await writeFile(file, `${one}\n${two}\nnot-known\n`);
    target.customers.clear();
    const { report } = await run({ ids: file, state: join(bench.folder, 'ids.json') });
    expect([importedIds(), report.customers.gone, report.complete]).toEqual([[one, two], 1, true]);
  });

  it('reads customers from files instead, and continues after the last page sent', async () => {
    await arrange({ customers: 0 });
    const file = join(bench.folder, 'customers.jsonl');
    await writeFile(file, Array.from({ length: 25 }, (_, index) => `{"id":"user-${index}"}`).join('\n'));
    const flags = { from: 'json', file: [file], pageSize: '10', sourceKey: undefined };
    let isDown = true;
    target.interfere = ({ path }) =>
      path.endsWith('import/customers') && target.customers.size === 10 && isDown
        ? { status: 503, body: {} }
        : undefined;
    expect((await run(flags)).status).toBe(1);
    isDown = false;
    const { status, report } = await run(flags);
    expect([status, target.customers.size, report.customers.read]).toEqual([0, 25, 25]);
    expect(vendor.journal).toEqual([]);
  });

  it('keeps keys out of everything it writes', async () => {
    await arrange({ customers: 40 });
    const echo = `bad key ${VENDOR_KEY} and ${TARGET_KEY}`;
    target.interfere = ({ path }) =>
      path.endsWith('public_key') ? { status: 400, body: { message: echo } } : undefined;
    vendor.interfere = ({ path }) =>
      path.endsWith('/aliases') ? { status: 422, body: { message: echo } } : undefined;
    const runtime = new TestRuntime(NOW);
    const outcome: unknown = await run({ json: false, sourceV1Key: VENDOR_V1_KEY }, runtime).catch(
      (error: Error) => error,
    );
    const files = await Promise.all(
      (await readdir(bench.folder)).map((name) => readFile(join(bench.folder, name), 'latin1')),
    );
    const all = [runtime.output, runtime.errors, JSON.stringify(outcome), ...files].join('\n');
    for (const key of [VENDOR_KEY, TARGET_KEY, VENDOR_V1_KEY]) expect(all).not.toContain(key);
    expect(runtime.errors).toContain('was not taken over');
  });
});
