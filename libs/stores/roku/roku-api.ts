import { isJsonObject } from '../../kernel/index.js';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { storeFetch } from '../store-fetch.js';
import { keyRefused, RokuCallFailed, statusFailure, unknownTransaction } from './roku-call-failed.js';
import { isTransactionId } from './transaction-id.js';
import {
  lowerCased,
  readRefund,
  readTransaction,
  type RokuRefund,
  type RokuTransaction,
} from './transaction.js';
import { rokuText } from './values.js';

export const ROKU_API_URL = 'https://apipub.roku.com/listen/transaction-service.svc';

export interface RokuServices {
  /** Has no trailing slash. */
  url: string;
  deadlineMs: number;
  breaker: CircuitBreaker;
}

/** `appId` keeps the circuit breaker of each app separate. */
export interface RokuCaller {
  appId: string;
  apiKey: string;
}

const SUCCESS = /^(0|success)$/i;
const FAILURE = /^(1|failure)$/i;
const UNAUTHORIZED = /unauthorized/i;

/** Client of Roku Pay's web service with one deadline for all calls. Every failure is a `RokuCallFailed`. */
export class RokuApi {
  private readonly deadline: AbortSignal;

  constructor(
    private readonly caller: RokuCaller,
    private readonly services: RokuServices,
  ) {
    this.deadline = AbortSignal.timeout(services.deadlineMs);
  }

  async transaction(id: string): Promise<RokuTransaction> {
    const found = readTransaction(await this.read('validate-transaction', id));
    if (found === null) throw unreadable();
    return found;
  }

  async refund(id: string): Promise<RokuRefund> {
    const found = readRefund(await this.read('validate-refund', id));
    if (found === null) throw unreadable();
    return found;
  }

  /** Returns the body of a successful answer. */
  private async read(call: string, id: string): Promise<Record<string, unknown>> {
    if (!isTransactionId(id)) throw unknownTransaction();
    const { caller, services } = this;
    const path = [call, caller.apiKey.trim(), id].map(encodeURIComponent).join('/');
    const json = await this.json(`${services.url}/${path}`, `${services.url} ${caller.appId}`);
    if (!isJsonObject(json)) throw unreadable();
    const { status, errormessage, errorcode, errordetails } = lowerCased(json);
    const outcome = rokuText(status) ?? '';
    if (SUCCESS.test(outcome)) return json;
    if (!FAILURE.test(outcome)) throw unreadable();
    const reasons = [errormessage, errorcode, errordetails].map((reason) => rokuText(reason) ?? '');
    throw reasons.some((reason) => UNAUTHORIZED.test(reason)) ? keyRefused() : unknownTransaction();
  }

  /** The URL contains the key, so no error may repeat it. */
  private async json(url: string, circuit: string): Promise<unknown> {
    try {
      const headers = { accept: 'application/json' };
      const response = await storeFetch(this.services.breaker, circuit, url, {
        signal: this.deadline,
        headers,
      });
      if (response.status === 200) return response.json();
      throw statusFailure(response.status, response.text(), response.header('retry-after'));
    } catch (error) {
      if (error instanceof CircuitOpen) {
        throw new RokuCallFailed('unavailable', 'Roku has not answered recently.', error.retryAfterMs);
      }
      throw error instanceof RokuCallFailed ? error : unreadable();
    }
  }
}

function unreadable(): RokuCallFailed {
  return new RokuCallFailed('unavailable', 'Roku could not be reached, or gave no readable answer.');
}
