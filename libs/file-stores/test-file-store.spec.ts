import { FileStoreError, type FileStore, testFileStore } from './index.js';

/** A store in memory; `failing` names the methods that fail. */
function memoryStore(failing: readonly (keyof FileStore)[] = []): {
  store: FileStore;
  files: Map<string, Buffer>;
} {
  const files = new Map<string, Buffer>();
  const may = (method: keyof FileStore): void => {
    if (failing.includes(method)) throw new FileStoreError('access_denied', `No permission to ${method}.`);
  };
  const unused = (): never => {
    throw new Error('not part of a test');
  };
  const store: FileStore = {
    open: unused,
    writePart: unused,
    complete: unused,
    abort: unused,
    put: async (key, bytes) => {
      may('put');
      files.set(key, bytes);
      return Promise.resolve();
    },
    get: async (key) => {
      may('get');
      return Promise.resolve(files.get(key) ?? Buffer.alloc(0));
    },
    delete: async (key) => {
      may('delete');
      files.delete(key);
      return Promise.resolve();
    },
    close: unused,
  };
  return { store, files };
}

function ticking(): () => number {
  let now = 0;
  return () => (now += 5);
}

describe('the test of a file store', () => {
  it('writes, reads and deletes a file', async () => {
    const { store, files } = memoryStore();
    expect(await testFileStore(store, 'acme', ticking())).toEqual({
      ok: true,
      steps: [
        { name: 'write', ok: true, duration_ms: 5 },
        { name: 'read', ok: true, duration_ms: 5 },
        { name: 'delete', ok: true, duration_ms: 5 },
      ],
    });
    expect(files.size).toBe(0);
  });

  it('places the file below the prefix', async () => {
    const { store, files } = memoryStore(['delete']);
    await testFileStore(store, 'acme/exports', ticking());
    await testFileStore(store, '', ticking());
    expect([...files.keys()]).toEqual([
      expect.stringMatching(/^acme\/exports\/tenure-test-[0-9a-f]{16}$/),
      expect.stringMatching(/^tenure-test-[0-9a-f]{16}$/),
    ]);
  });

  it.each(['put' as const, 'get' as const])('ends at a failed %s', async (method) => {
    const { store, files } = memoryStore([method]);
    const { ok, steps } = await testFileStore(store, '', ticking());
    expect(ok).toBe(false);
    expect(steps.at(-1)).toEqual({
      name: method === 'put' ? 'write' : 'read',
      ok: false,
      duration_ms: 5,
      code: 'access_denied',
      message: `No permission to ${method}.`,
    });
    expect(files.size).toBe(0);
  });

  it('treats a failed delete as a warning', async () => {
    const { ok, steps } = await testFileStore(memoryStore(['delete']).store, '', ticking());
    expect(ok).toBe(true);
    expect(steps[2]).toMatchObject({ name: 'delete', ok: false, code: 'access_denied' });
  });

  it('returns the host key that is not trusted', async () => {
    const { store } = memoryStore();
    const put = (): never => {
      throw new FileStoreError('host_key_changed', 'The server has a new host key.', {
        seenHostKey: 'SHA256:new',
      });
    };
    expect(await testFileStore({ ...store, put }, '', ticking())).toMatchObject({
      ok: false,
      steps: [{ name: 'write', ok: false, code: 'host_key_changed' }],
      seenHostKey: 'SHA256:new',
    });
  });

  it('fails if the store returns other bytes', async () => {
    const { store } = memoryStore();
    const { ok, steps } = await testFileStore(
      { ...store, get: () => Promise.resolve(Buffer.alloc(32)) },
      '',
      ticking(),
    );
    expect(ok).toBe(false);
    expect(steps[1]).toMatchObject({ name: 'read', code: 'store_error' });
  });
});
