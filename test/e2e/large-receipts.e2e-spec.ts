import { readdirSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { WorkerPool, WorkNotDone } from '../../libs/kernel/index.js';
import { NotGenuine } from '../../libs/stores/apple/not-genuine.js';
import { ReceiptReader } from '../../libs/stores/apple/receipt-reader.js';
import { FakeAppStore } from '../support/fake-app-store/fake-app-store.js';
import { ManualClock } from '../../libs/kernel/index.js';
import { TEST_START_MS } from '../support/test-server.js';

const built = new URL('../../dist/libs/stores/apple/receipt.worker.js', import.meta.url);
const store = new FakeAppStore(new ManualClock(TEST_START_MS), 'com.example.app', 6443000000);
const app = { bundleId: store.bundleId, xcodeCertificate: null, allowUnsignedReceipts: false };

/** Signed, with as many purchases as years of consumables leave. */
function largeReceipt(count = 2_000): string {
  const purchases = Array.from({ length: count }, (_, index) => ({
    transactionId: String(1_000 + index),
    originalTransactionId: String(1_000 + index),
    productId: 'coins_100',
    purchasedAtMs: TEST_START_MS - index,
  }));
  return store.appReceipt({ purchases });
}

describe('receipts of more than 64 KiB', () => {
  const extraRoots = [store.chain.root.der];
  const reader = new ReceiptReader({ extraRoots, workerScript: built });
  const inPlace = new ReceiptReader({ extraRoots });
  const large = largeReceipt();

  afterAll(() => reader.close());

  it('reads them in threads, with the same result', async () => {
    expect(large.length).toBeGreaterThan(400_000);
    const read = await reader.read(large, app, TEST_START_MS);
    expect(read).toEqual(await inPlace.read(large, app, TEST_START_MS));
    expect(read).toMatchObject({ form: 'app_receipt', receipt: { bundleId: store.bundleId } });
  });

  it('refuses them there as anywhere', async () => {
    const forged = Buffer.from(large, 'base64');
    forged[forged.indexOf('coins_100')] = 'x'.charCodeAt(0);
    const asked = reader.read(forged.toString('base64'), app, TEST_START_MS);
    await expect(asked).rejects.toBeInstanceOf(NotGenuine);
    await expect(reader.read('x'.repeat(100_000), app, TEST_START_MS)).rejects.toBeInstanceOf(NotGenuine);
  });
});

describe('a pool of worker threads', () => {
  const script = (code: string): URL =>
    new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`,
    );
  const answering = script(`
    import { threadId } from 'node:worker_threads';
    parentPort.on('message', (task) => {
      if (task === 'fail') throw new Error('a bug');
      if (task === 'hang') for (;;);
      if (task === 'eat') { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); }
      parentPort.postMessage([task, threadId]);
    });`);
  const options = { workerData: null, size: 2, maxWaiting: 3, timeLimitMs: 60_000, maxHeapMb: 64 };
  const pools: WorkerPool[] = [];
  const poolOf = (more: object = {}): WorkerPool => {
    const pool = new WorkerPool({ script: answering, ...options, ...more });
    pools.push(pool);
    return pool;
  };
  const threads = (): number => readdirSync('/proc/self/task').length;

  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  it('answers each task once, by another thread, in as few threads as it may have', async () => {
    const pool = poolOf({ maxWaiting: 50 });
    const answers = (await Promise.all(
      Array.from({ length: 40 }, (_, task) => pool.run(task)),
    )) as number[][];
    expect(answers.map(([task]) => task)).toEqual(Array.from({ length: 40 }, (_, task) => task));
    const used = new Set(answers.map(([, thread]) => thread));
    expect(used.size).toBeLessThanOrEqual(2);
    expect(used).not.toContain(threadId);
  });

  it.each(['fail', 'eat'])('survives a task that ends its thread (%s)', async (task) => {
    const pool = poolOf({ size: 1 });
    await expect(pool.run(task)).rejects.toBeInstanceOf(WorkNotDone);
    await expect(pool.run('next')).resolves.toEqual(['next', expect.any(Number)]);
  });

  it('gives up a task that takes too long, and continues with the next', async () => {
    const pool = poolOf({ size: 1, timeLimitMs: 3_000 });
    const [hanging, waiting] = [pool.run('hang'), pool.run('next')];
    await expect(hanging).rejects.toBeInstanceOf(WorkNotDone);
    await expect(waiting).resolves.toEqual(['next', expect.any(Number)]);
  });

  it('refuses more than may wait, and everything once it is closed; no thread is left', async () => {
    const pool = poolOf();
    const tasks = Array.from({ length: 7 }, () => pool.run('hang').then(String, (error: unknown) => error));
    await expect(tasks[6]).resolves.toMatchObject({ message: 'Too many tasks wait for a worker.' });
    const meanwhile = threads();
    await pool.close();
    for (const task of tasks) await expect(task).resolves.toBeInstanceOf(WorkNotDone);
    await expect(pool.run('late')).rejects.toBeInstanceOf(WorkNotDone);
    expect(threads()).toBeLessThan(meanwhile);
  });
});
