import type { KeyObject } from 'node:crypto';
import { APIException, AppStoreServerAPIClient, Environment } from '@apple/app-store-server-library';
import { isJsonObject } from '../../kernel/index.js';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { privateKeyIn } from '../private-keys.js';
import { storeFetch, type StoreAnswer } from '../store-fetch.js';
import { storeMessage } from '../store-message.js';
import { apiToken, type TokenTerms } from './api-tokens.js';
import type { AppleEnvironment, InAppPurchaseKey } from './apple-app.js';
import { AppleCallFailed, failureOf, keyFields } from './server-api.errors.js';

export interface AppleApiOptions {
  /** Have no trailing slash. */
  urls: Record<AppleEnvironment, string>;
  nowMs: () => number;
  breaker: CircuitBreaker;
}

export const appleApiUrls: Record<AppleEnvironment, string> = {
  Production: 'https://api.storekit.apple.com',
  Sandbox: 'https://api.storekit-sandbox.apple.com',
};

const EXTERNAL_REPORTS = '/externalPurchase/v1/reports';

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

interface AnswerRules<Answer> {
  validate(answer: unknown): answer is Answer;
}

interface AppleError {
  errorCode?: number;
  errorMessage?: string;
}

/** Its content is compared by the caller. */
function isAnswer(answer: unknown): answer is unknown {
  return answer !== undefined;
}

/**
 * Adds a deadline, an address and `Retry-After`, which the original drops, and signs tokens once for many calls. Every
 * failure is an `AppleCallFailed`.
 */
export class DeadlineClient extends AppStoreServerAPIClient {
  private readonly base: string;
  private readonly circuit: string;
  /** Null if it is not a key for ES256. */
  private readonly keyObject: KeyObject | null;
  private retryAfterMs: number | null = null;

  constructor(
    private readonly key: InAppPurchaseKey,
    private readonly ownBundleId: string,
    environment: AppleEnvironment,
    private readonly options: AppleApiOptions,
    private readonly deadline: AbortSignal,
  ) {
    const known = environment === 'Production' ? Environment.PRODUCTION : Environment.SANDBOX;
    super(key.privateKeyPem, key.keyId, key.issuerId, ownBundleId, known);
    this.base = options.urls[environment];
    this.circuit = `${this.base} ${ownBundleId}`;
    const keyObject = privateKeyIn(key.privateKeyPem);
    const isGood = keyObject?.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    this.keyObject = isGood ? keyObject : null;
  }

  async call<T>(work: (client: this) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Reports about purchases outside the App Store have no method in the library. */
  async sendExternalReport(body: object): Promise<void> {
    await this.makeRequest(EXTERNAL_REPORTS, 'PUT', {}, body, null, 'application/json');
  }

  externalReport(requestIdentifier: string): Promise<unknown> {
    const path = `${EXTERNAL_REPORTS}/${encodeURIComponent(requestIdentifier)}`;
    return this.makeRequest<unknown>(path, 'GET', {}, null, { validate: isAnswer }, undefined);
  }

  /** Replaces the library's transport, which signs a token for every call and has no deadline. */
  protected override async makeRequest<Answer>(
    path: string,
    method: string,
    query: Record<string, string[]>,
    body: object | Buffer | null,
    rules: AnswerRules<Answer> | null,
    contentType?: string,
  ): Promise<Answer> {
    const answer = await this.send(path, method, query, body, contentType);
    if (!answer.ok) throw this.refusal(path, answer);
    const json = rules && answer.json();
    if (rules && !rules.validate(json)) throw new TypeError('unexpected form');
    return json as Answer;
  }

  private async send(
    path: string,
    method: string,
    query: Record<string, string[]>,
    body: object | Buffer | null,
    contentType?: string,
  ): Promise<StoreAnswer> {
    const pairs = Object.entries(query).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const search = new URLSearchParams(pairs).toString();
    const { breaker, nowMs } = this.options;
    const token = await apiToken(this.tokenTerms(), nowMs());
    const type = body instanceof Buffer ? contentType : body === null ? undefined : 'application/json';
    return storeFetch(breaker, this.circuit, `${this.base}${path}${search === '' ? '' : `?${search}`}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== null && { body: body instanceof Buffer ? body : JSON.stringify(body) }),
      signal: this.deadline,
    });
  }

  private tokenTerms(): TokenTerms {
    const { keyObject: signingKey, key, ownBundleId: bundleId } = this;
    if (signingKey !== null) return { ...key, signingKey, bundleId };
    const message = 'The in-app purchase key (subscription_private_key) cannot be read.';
    throw new AppleCallFailed('credentials', message);
  }

  private refusal(path: string, answer: StoreAnswer): Error {
    const { status } = answer;
    // Its errors name lines of the report, which Apple's form for errors lacks.
    if (status === 400 && path.startsWith(EXTERNAL_REPORTS)) {
      return new AppleCallFailed('refused', `The App Store answered: ${storeMessage(answer.text())}`);
    }
    if (status === 429) this.retryAfterMs = this.waitOf(answer.header('retry-after'));
    const json = answer.jsonOrNull();
    const { errorCode, errorMessage } = isJsonObject(json) ? (json as AppleError) : {};
    return errorCode ? new APIException(status, errorCode, errorMessage) : new APIException(status);
  }

  /** Apple sends a time in epoch ms; proxies send seconds. */
  private waitOf(header: string | null): number | null {
    const value = Number(header ?? '');
    if (!Number.isFinite(value) || value <= 0) return null;
    const waitMs = value > 1e11 ? value - this.options.nowMs() : value * 1000;
    return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
  }

  private failure(error: unknown): AppleCallFailed {
    if (error instanceof AppleCallFailed) return error;
    if (error instanceof CircuitOpen) {
      return new AppleCallFailed(
        'unavailable',
        'The App Store did not answer lately.',
        null,
        error.retryAfterMs,
      );
    }
    if (error instanceof APIException) {
      const code = typeof error.apiError === 'number' ? error.apiError : null;
      const failure = failureOf(error.httpStatusCode, code);
      const said = storeMessage(error.errorMessage ?? `status ${error.httpStatusCode}`);
      const message =
        failure === 'credentials'
          ? `The App Store refuses the in-app purchase key: ${keyFields} or bundle_id is wrong, or the key was revoked (${said}).`
          : `The App Store answered: ${said}`;
      return new AppleCallFailed(failure, message, code, this.retryAfterMs);
    }
    return new AppleCallFailed(
      'unavailable',
      'The App Store could not be reached, or gave no readable answer.',
    );
  }
}
