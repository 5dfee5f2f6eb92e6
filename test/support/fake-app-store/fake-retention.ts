import { randomUUID } from 'node:crypto';
import type { ApiAnswer, ApiCall } from './fake-server-api.js';
import type { FakeAppStore } from './fake-app-store.js';

type State = 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED';

interface FakeMessage {
  header: string;
  body: string;
  state: State;
}

const MAX_MESSAGES = 2_000;
const LOCALE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const config = {
  maxConcurrentRequests: 10,
  totalRequests: 1_000,
  totalDuration: 100_000,
  responseTimeThreshold: 700,
  successRateThreshold: 99,
};
const times = { average: 40, p50: 35, p90: 60, p95: 80, p99: 120 };

const ok = (body: object = {}): ApiAnswer => ({ status: 200, body });

/** The status of an error begins its code. */
function refused(errorCode: number, errorMessage: string): ApiAnswer {
  return { status: Math.floor(errorCode / 10_000), body: { errorCode, errorMessage } };
}

/** Retention messages of one app in one environment, with what Apple refuses. */
export class FakeRetention {
  readonly messages = new Map<string, FakeMessage>();
  /** Ids of messages, by product and locale. */
  readonly defaults = new Map<string, string>();
  url: string | null = null;
  private readonly tests = new Map<string, 'PENDING' | 'PASS' | 'FAIL'>();

  /** @param sandbox where tests run; null for the sandbox itself */
  constructor(
    private readonly store: FakeAppStore,
    private readonly sandbox: FakeRetention | null,
  ) {}

  /** Apple's review ends. */
  review(id: string, state: State): void {
    const message = this.messages.get(id);
    if (message) message.state = state;
  }

  finishTests(result: 'PASS' | 'FAIL'): void {
    for (const id of this.tests.keys()) this.tests.set(id, result);
  }

  get hasPassed(): boolean {
    return [...this.tests.values()].includes('PASS');
  }

  answer(call: ApiCall): ApiAnswer {
    const [kind = '', ...rest] = call.path.replace('/inApps/v1/messaging/', '').split('/');
    const [first = '', second = ''] = rest.map(decodeURIComponent);
    switch (`${call.method} ${kind}`) {
      case 'GET message':
        return this.list();
      case 'PUT message':
        return this.upload(first, call);
      case 'DELETE message':
        return this.messages.delete(first) ? ok() : refused(4040015, 'Message not found.');
      case 'PUT default':
        return this.setDefault(first, second, call);
      case 'DELETE default':
        return this.defaults.delete(`${first} ${second}`)
          ? ok()
          : refused(4040020, 'Default message not found.');
      case 'PUT realtime':
        return this.setUrl(call);
      case 'POST performanceTest':
        return this.startTest(call);
      case 'GET performanceTest':
        return this.result(second);
      default:
        return { status: 404, body: {} };
    }
  }

  private list(): ApiAnswer {
    const messageIdentifiers = [...this.messages].map(([messageIdentifier, { state }]) => ({
      messageIdentifier,
      messageState: state,
    }));
    return ok({ messageIdentifiers });
  }

  private upload(id: string, { environment, body }: ApiCall): ApiAnswer {
    const { header, body: text } = body as { header?: unknown; body?: unknown };
    if (!UUID.test(id)) return refused(4000000, 'Invalid message identifier.');
    if (typeof header !== 'string' || [...header].length > 66) return refused(4000162, 'Header too long.');
    if (typeof text !== 'string' || [...text].length > 144) return refused(4000163, 'Body too long.');
    if (this.messages.has(id)) return refused(4090001, 'Message already exists.');
    if (this.messages.size >= MAX_MESSAGES) return refused(4030016, 'Too many messages.');
    const state = environment === 'Sandbox' ? 'APPROVED' : 'PENDING_REVIEW';
    this.messages.set(id, { header, body: text, state });
    return ok();
  }

  private setDefault(productId: string, locale: string, { body }: ApiCall): ApiAnswer {
    const id = String(body?.messageIdentifier);
    const message = this.messages.get(id);
    if (!LOCALE.test(locale)) return refused(4000164, 'Invalid locale.');
    if (!message) return refused(4040015, 'Message not found.');
    if (message.state !== 'APPROVED') return refused(4030017, 'The message is not approved.');
    this.defaults.set(`${productId} ${locale}`, id);
    return ok();
  }

  private setUrl({ body }: ApiCall): ApiAnswer {
    const url = String(body?.realtimeURL);
    if (!URL.canParse(url) || url.length > 256) return refused(4000215, 'Invalid URL.');
    if (this.sandbox?.hasPassed === false) return refused(4030026, 'A passed performance test is required.');
    this.url = url;
    return ok();
  }

  private startTest({ environment, body }: ApiCall): ApiAnswer {
    if (environment !== 'Sandbox') return refused(4000211, 'Tests run in the sandbox.');
    if (this.store.accountOf(String(body?.originalTransactionId), 'Sandbox') === null)
      return refused(4040005, 'Original transaction id not found.');
    if (this.url === null) return refused(4040021, 'There is no URL.');
    if ([...this.tests.values()].includes('PENDING')) return refused(4000213, 'A test is running.');
    const requestId = randomUUID();
    this.tests.set(requestId, 'PENDING');
    return ok({ requestId, config });
  }

  private result(id: string): ApiAnswer {
    const result = this.tests.get(id);
    if (result === undefined) return refused(4040018, 'Test not found.');
    const isPending = result === 'PENDING';
    return ok({
      config,
      target: this.url,
      result,
      successRate: result === 'FAIL' ? 61 : 100,
      numPending: isPending ? config.totalRequests : 0,
      responseTimes: times,
      failures: result === 'FAIL' ? { TIMED_OUT: 390 } : {},
    });
  }
}
