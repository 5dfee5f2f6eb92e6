import { Injectable } from '@nestjs/common';
import { Histogram, Registry } from 'prom-client';
import type { Refreshed, StoreAdapter, VerificationFailure, Verified } from '../../../libs/stores/index.js';

const BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type StoreAnswer = Verified | Refreshed | VerificationFailure;

@Injectable()
export class StoreMetrics {
  private readonly duration: Histogram;

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'tenure_store_call_duration_seconds',
      help: 'Verifying receipts and asking about purchases, with the calls to the store; by its result: ok, why not (permanent, temporary, credentials), or error.',
      labelNames: ['store', 'call', 'result'],
      buckets: BUCKETS_S,
      registers: [registry],
    });
  }

  /** Starts the counter of refused credentials at 0, so that the first refusal is an increase. */
  add(store: string): void {
    for (const call of ['verify', 'refresh']) this.duration.zero({ store, call, result: 'credentials' });
  }

  /** `onAnswer` is called with the result of every call. */
  measured(adapter: StoreAdapter, onAnswer: (answer: StoreAnswer) => void = () => undefined): StoreAdapter {
    const { store } = adapter;
    const refresh = adapter.refresh?.bind(adapter);
    const order = adapter.order?.bind(adapter);
    const lookUp = adapter.lookUp?.bind(adapter);
    const identify = adapter.identify?.bind(adapter);
    const timed = <Result extends Verified | Refreshed>(
      call: string,
      work: () => Promise<Result | VerificationFailure>,
    ) => this.timed(store, call, work, onAnswer);
    // All methods are listed, so that the wrapper drops none of an adapter's.
    const watched: { [Name in keyof Required<StoreAdapter>]: StoreAdapter[Name] } = {
      store,
      verify: (receipt, context) => timed('verify', () => adapter.verify(receipt, context)),
      verifyInstallation: adapter.verifyInstallation?.bind(adapter),
      refresh: refresh && ((key, environment) => timed('refresh', () => refresh(key, environment))),
      order: order && ((orderId) => timed('order', () => order(orderId))),
      identify: identify && ((id) => timed('identify', () => identify(id))),
      keysOfOrders: adapter.keysOfOrders?.bind(adapter),
      lookUp: lookUp && ((named) => timed('look_up', () => lookUp(named))),
    };
    return watched;
  }

  private async timed<Result extends Verified | Refreshed>(
    store: string,
    call: string,
    work: () => Promise<Result | VerificationFailure>,
    onAnswer: (answer: StoreAnswer) => void,
  ): Promise<Result | VerificationFailure> {
    const startedAt = performance.now();
    let ended = 'error';
    try {
      const result = await work();
      ended = result.failure ?? 'ok';
      onAnswer(result);
      return result;
    } finally {
      this.duration.observe({ store, call, result: ended }, (performance.now() - startedAt) / 1000);
    }
  }
}
