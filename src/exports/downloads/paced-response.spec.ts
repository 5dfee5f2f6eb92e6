import { Writable } from 'node:stream';
import { type PaceTimers, sendPaced } from './paced-response.js';

/** Time that only moves when a reader takes it. */
class FakeTimers implements PaceTimers {
  private now = 0;
  private readonly due = new Map<() => void, number>();

  nowMs(): number {
    return this.now;
  }

  after(ms: number, call: () => void): () => void {
    this.due.set(call, this.now + ms);
    return () => this.due.delete(call);
  }

  advance(ms: number): void {
    this.now += ms;
    for (const [call, dueMs] of this.due) if (dueMs <= this.now) call();
  }
}

/** Takes one chunk in `msPerChunk`. */
class Reader extends Writable {
  readonly chunks: Buffer[] = [];

  constructor(
    private readonly timers: FakeTimers,
    private readonly msPerChunk: number,
  ) {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _: string, taken: () => void): void {
    this.chunks.push(chunk);
    // Time passes in steps of a second, so that timers run while the reader is slow.
    const step = (leftMs: number): void => {
      if (this.destroyed) return;
      if (leftMs <= 0) return taken();
      this.timers.advance(Math.min(leftMs, 1000));
      setImmediate(() => step(leftMs - 1000));
    };
    setImmediate(() => step(this.msPerChunk));
  }
}

const CHUNK = Buffer.alloc(64_000);

async function* chunksOf(count: number, onChunk?: (index: number) => void): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index++) {
    onChunk?.(index);
    yield await Promise.resolve(CHUNK);
  }
}

describe('sending at the speed of a reader', () => {
  let timers: FakeTimers;

  beforeEach(() => {
    timers = new FakeTimers();
  });

  it('sends all to a reader that takes 64 kB in a second', async () => {
    const reader = new Reader(timers, 1000);
    expect(await sendPaced(reader, chunksOf(200), timers)).toBe(true);
    expect(reader.chunks).toHaveLength(200);
    expect(reader.destroyed || reader.writableEnded).toBe(true);
  });

  it('cuts off a reader that takes less in a minute', async () => {
    const reader = new Reader(timers, 1100);
    expect(await sendPaced(reader, chunksOf(200), timers)).toBe(false);
    expect(reader.destroyed).toBe(true);
    expect(timers.nowMs()).toBeLessThan(70_000);
  });

  it('cuts off a reader that takes nothing for a minute', async () => {
    const reader = new Reader(timers, 10_000_000);
    expect(await sendPaced(reader, chunksOf(200), timers)).toBe(false);
    expect(timers.nowMs()).toBe(60_000);
  });

  it('does not count the time in which the file is produced', async () => {
    const reader = new Reader(timers, 0);
    const slowly = chunksOf(5, () => timers.advance(100_000));
    expect(await sendPaced(reader, slowly, timers)).toBe(true);
  });

  it('produces nothing more while it waits, or once the reader is gone', async () => {
    const reader = new Reader(timers, 1000);
    let produced = 0;
    const sending = sendPaced(
      reader,
      chunksOf(200, (index) => {
        produced = index;
        expect(index - reader.chunks.length).toBeLessThan(2);
        if (index === 10) reader.destroy();
      }),
      timers,
    );
    expect(await sending).toBe(false);
    expect(produced).toBe(10);
  });

  it('fails with the file, and leaves the end open', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(CHUNK);
      throw new Error('the database is gone');
    }
    const reader = new Reader(timers, 0);
    await expect(sendPaced(reader, failing(), timers)).rejects.toThrow('the database is gone');
    expect(reader.writableEnded).toBe(false);
  });
});
