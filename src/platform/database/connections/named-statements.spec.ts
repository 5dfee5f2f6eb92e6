import { keepsNamedStatements } from './named-statements.js';

interface Query {
  name: string;
}

/** The backends of a pooler in transaction mode; the most recently used one is reused first. */
class FakePooler {
  private readonly backends = [101, 102, 103].map((pid) => ({ pid, names: new Set<string>() }));
  private readonly idle = [...this.backends];

  constructor(private readonly options: { keepsNames?: boolean; isOfSessions?: boolean; isBusy?: boolean }) {}

  client() {
    let held: (typeof this.idle)[number] | null = null;
    const parsed = new Set<string>();
    const take = () => {
      const backend = this.idle.shift();
      if (!backend) throw new Error('no backend is free');
      return backend;
    };
    const run = ({ name }: Query): { rows: { pid: number }[] } => {
      const isOpen = held !== null;
      const backend = held ?? take();
      if (this.options.isOfSessions) held = backend;
      // Another client takes the backend that was just released.
      else if (!isOpen && this.options.isBusy) this.idle.push(backend);
      else if (!isOpen) this.idle.unshift(backend);
      if (!this.options.keepsNames) {
        if (!parsed.has(name) && backend.names.has(name)) throw Object.assign(new Error(), { code: '42P05' });
        if (parsed.has(name) && !backend.names.has(name)) throw Object.assign(new Error(), { code: '26000' });
      }
      parsed.add(name);
      backend.names.add(name);
      return { rows: [{ pid: backend.pid }] };
    };
    const query = (command: string | Query) => {
      if (typeof command !== 'string') return Promise.resolve().then(() => run(command));
      if (command === 'BEGIN') held ??= take();
      else if (!this.options.isOfSessions && held) {
        this.idle.unshift(held);
        held = null;
      }
      return Promise.resolve({ rows: [] });
    };
    return { query } as unknown as Parameters<typeof keepsNamedStatements>[0];
  }
}

describe('named statements through a pooler', () => {
  const kept = (options: ConstructorParameters<typeof FakePooler>[0]): Promise<boolean> => {
    const pooler = new FakePooler(options);
    return keepsNamedStatements(pooler.client(), pooler.client());
  };

  it('loses them if clients share backends, which do not know the names of all', async () => {
    expect(await kept({})).toBe(false);
    expect(await kept({ isBusy: true })).toBe(false);
  });

  it('keeps them with a pooler that prepares them on each backend, or with a backend for each client', async () => {
    expect(await kept({ keepsNames: true })).toBe(true);
    expect(await kept({ keepsNames: true, isBusy: true })).toBe(true);
    expect(await kept({ isOfSessions: true })).toBe(true);
  });

  it('reports them as unknown if the pooler has no backend', async () => {
    const broken = { query: () => Promise.reject(new Error('no answer')) } as never;
    await expect(keepsNamedStatements(broken, broken)).rejects.toThrow('no answer');
  });
});
