import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Answer } from '../support/api-client.js';
import type { TestStore } from '../support/arrange-store.js';
import { FakeStripe } from '../support/fake-stripe/fake-stripe.js';
import { until } from '../support/program.js';
import type { ServerProcess } from '../support/server-process.js';

/** Between two requests of a kind (ms). */
const PAUSE_MS = 100;

/** A project whose Stripe app receives notifications. */
export interface Shop extends TestStore {
  stripeAppId: string;
}

export const stripe = new FakeStripe(new ManualClock(Date.now()));

export interface Sent {
  kind: string;
  /** 0 if there was no answer, or one that is not documented. */
  status: number;
  retryAfter: string | undefined;
  text: string;
  startedAt: number;
  endedAt: number;
}

interface Receipt {
  app_user_id: string;
  fetch_token: string;
}

/** Receipts, reads and notifications of one project, of each kind one after the other until `stop`. */
export class ProjectLoad {
  readonly sent: Sent[] = [];
  readonly acknowledged: Receipt[] = [];
  private readonly unacknowledged: Receipt[] = [];
  private isOver = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly server: () => ServerProcess,
    readonly shop: Shop,
  ) {
    this.running = this.run();
  }

  private async run(): Promise<void> {
    const { sdk, backend, path } = this.shop;
    const reader = `reader-${randomUUID()}`;
    // Creates the customer.
    await sdk.get(`/v1/subscribers/${reader}`);
    await Promise.all([
      this.repeat(() => this.buy({ app_user_id: `buyer-${randomUUID()}`, fetch_token: token() })),
      this.repeat(() => this.send('read', sdk.get(`/v1/subscribers/${reader}`))),
      this.repeat(() => this.send('rest', backend.get(`${path}/customers/${reader}`))),
      this.repeat(() => this.send('notification', this.notify())),
    ]);
  }

  /** Waits for more successful answers of each kind. */
  async untilSucceeding(count = 10): Promise<void> {
    const startedAt = performance.now();
    const successes = (kind: string): number =>
      this.since(startedAt).filter((one) => one.kind === kind && one.status === 200).length;
    await until(() => ['receipt', 'read', 'rest', 'notification'].every((kind) => successes(kind) >= count));
  }

  /** Ends, and posts the receipts that were not acknowledged again until they are. */
  async stop(): Promise<void> {
    await this.end();
    for (const receipt of this.unacknowledged.splice(0)) {
      await until(async () => (await this.buy(receipt)) === 200);
    }
  }

  /** Ends with the last answers. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Answers to requests that started after a time. */
  since(startedAt: number): Sent[] {
    return this.sent.filter((one) => one.startedAt >= startedAt);
  }

  failedSince(startedAt: number): Sent[] {
    return this.since(startedAt).filter(({ status }) => status !== 200);
  }

  /** The slowest answer, for a message. */
  longest(startedAt: number): string {
    const ms = ({ startedAt: from, endedAt }: Sent): number => endedAt - from;
    const [slowest] = this.since(startedAt).sort((a, b) => ms(b) - ms(a));
    return slowest ? `${slowest.kind} ${Math.round(ms(slowest))} ms` : 'none';
  }

  /** Longest time (ms) between two successful answers of a kind. */
  longestGapMs(startedAt: number): number {
    let longest = 0;
    const last = new Map<string, number>();
    for (const { kind, status, endedAt } of this.sent) {
      if (status !== 200 || endedAt < startedAt) continue;
      longest = Math.max(longest, endedAt - (last.get(kind) ?? startedAt));
      last.set(kind, endedAt);
    }
    return longest;
  }

  private async repeat(request: () => Promise<number>): Promise<void> {
    while (!this.isOver) {
      await request();
      await pause(PAUSE_MS);
    }
  }

  private async buy(receipt: Receipt): Promise<number> {
    const body = { ...receipt, product_id: 'coins_100', currency: 'USD' };
    const status = await this.send('receipt', this.shop.sdk.post('/v1/receipts', body));
    (status === 200 ? this.acknowledged : this.unacknowledged).push(receipt);
    return status;
  }

  private notify(): Promise<Answer> {
    stripe.clock.setMs(Date.now());
    const { body } = stripe.event('unknown.type', { id: randomUUID() });
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.signature(body) };
    const path = `/v1/notifications/stripe/${this.shop.stripeAppId}`;
    return this.server().http.send('POST', path, body, headers);
  }

  private async send(kind: string, answer: Promise<Answer>): Promise<number> {
    const startedAt = performance.now();
    const got = await answer.then(
      ({ status, headers, text }) => ({ status, retryAfter: headers['retry-after'], text }),
      (error: unknown) => ({ status: 0, retryAfter: undefined, text: String(error) }),
    );
    this.sent.push({ kind, ...got, startedAt, endedAt: performance.now() });
    return got.status;
  }
}

/** A purchase of now. */
function token(): string {
  return `test_${Date.now()}_${randomUUID()}`;
}

/** Counts answers by status and what differs in the text of failures. */
export function byStatus(answers: Sent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, status, retryAfter, text } of answers) {
    const isSuccess = status === 200;
    const key = isSuccess
      ? `${kind} 200`
      : `${kind} ${status} after ${retryAfter ?? '-'}: ${text.slice(0, 200)}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
