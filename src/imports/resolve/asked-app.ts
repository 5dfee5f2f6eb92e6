import type { Environment } from '../../../libs/engine/index.js';
import type {
  KeysOfOrders,
  NamedPurchase,
  StoreAdapter,
  VerificationFailure,
  Verified,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';

export type StoreAnswer =
  | { kind: 'found'; verified: Verified }
  /** The store will never know it. */
  | { kind: 'unknown'; message: string }
  /** See `AskedApp.pause`. */
  | { kind: 'not_asked' };

/** Why calls to an app's store are paused. */
export interface Pause {
  /** Null if the app's budget is used up. */
  failure: Exclude<VerificationFailure, { failure: 'permanent' }> | null;
  waitMs: number;
}

/** Limits and observes the calls. */
export interface AskingTerms {
  /** Returns 0 if the call is allowed, else the ms to wait. */
  takeFromBudget(environment: Environment): Promise<number>;
  recordHealth(answer: { failure: null } | VerificationFailure): Promise<void>;
}

const RETRY_MS = 5 * 60_000;
const notAsked: StoreAnswer = { kind: 'not_asked' };

/**
 * The store of an app during one import or one pass of the job. Calls stay within the app's budget and stop at the
 * first failure, because a failure concerns the whole app.
 */
export class AskedApp {
  pause: Pause | null = null;
  /** Why orders cannot be looked up, although other calls may succeed. */
  ordersRefused: string | null = null;

  constructor(
    readonly app: App,
    private readonly adapter: StoreAdapter,
    private readonly terms: AskingTerms,
  ) {}

  get store(): StoreAdapter['store'] {
    return this.adapter.store;
  }

  /** Looks up the purchase that contains a transaction. */
  identify(transactionId: string, environment: Environment): Promise<StoreAnswer> {
    const { adapter } = this;
    return this.ask(environment, adapter.identify && (() => adapter.identify?.(transactionId)));
  }

  lookUp(named: NamedPurchase, environment: Environment = 'production'): Promise<StoreAnswer> {
    const { adapter } = this;
    return this.ask(environment, adapter.lookUp && (() => adapter.lookUp?.(named)));
  }

  /** Returns keys by order id, as far as the store could be called. */
  async keysOfOrders(orderIds: string[]): Promise<Pick<KeysOfOrders, 'keys' | 'unknown'>> {
    if (!this.adapter.keysOfOrders || this.ordersRefused !== null || orderIds.length === 0)
      return { keys: new Map(), unknown: [] };
    const { keys, unknown, failure } = await this.adapter.keysOfOrders(orderIds, () =>
      this.mayAsk('production'),
    );
    // Orders need a separate permission, so the app's credentials may work for everything else.
    if (failure?.failure === 'credentials') this.ordersRefused = failure.message;
    else if (failure) await this.noteFailure(failure);
    return { keys, unknown };
  }

  private async ask(
    environment: Environment,
    call: (() => Promise<Verified | VerificationFailure> | undefined) | undefined,
  ): Promise<StoreAnswer> {
    if (!call) return { kind: 'unknown', message: 'This server cannot ask that store about a purchase.' };
    if (!(await this.mayAsk(environment))) return notAsked;
    const answer = await call();
    if (!answer) return notAsked;
    await this.terms.recordHealth(answer);
    if (answer.failure === null) return { kind: 'found', verified: answer };
    if (answer.failure === 'permanent') return { kind: 'unknown', message: answer.message };
    await this.noteFailure(answer);
    return notAsked;
  }

  private async mayAsk(environment: Environment): Promise<boolean> {
    if (this.pause) return false;
    const waitMs = await this.terms.takeFromBudget(environment);
    if (waitMs > 0) this.pause ??= { failure: null, waitMs };
    return waitMs === 0;
  }

  private noteFailure(failure: VerificationFailure): Promise<void> {
    if (failure.failure === 'permanent') return Promise.resolve();
    const wishMs = failure.failure === 'temporary' ? (failure.retryAfterMs ?? 0) : 0;
    this.pause = { failure, waitMs: Math.max(RETRY_MS, wishMs) };
    return Promise.resolve();
  }
}
