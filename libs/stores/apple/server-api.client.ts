import { APIException, AppStoreServerAPIClient, Environment } from '@apple/app-store-server-library';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { privateKeyIn } from '../private-keys.js';
import { storeFetch } from '../store-fetch.js';
import { storeMessage } from '../store-message.js';
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

/** Its content is compared by the caller. */
function isAnswer(answer: unknown): answer is unknown {
  return answer !== undefined;
}

/** Adds a deadline, an address and `Retry-After`, which the original drops. Every failure is an `AppleCallFailed`. */
export class DeadlineClient extends AppStoreServerAPIClient {
  private readonly base: string;
  private readonly circuit: string;
  /** The library notices an invalid key only on the first call, with an error of another library. */
  private readonly keyIsGood: boolean;
  private retryAfterMs: number | null = null;

  constructor(
    key: InAppPurchaseKey,
    bundleId: string,
    environment: AppleEnvironment,
    private readonly options: AppleApiOptions,
    private readonly deadline: AbortSignal,
  ) {
    const known = environment === 'Production' ? Environment.PRODUCTION : Environment.SANDBOX;
    const signingKey = privateKeyIn(key.privateKeyPem);
    // The JWT library also accepts key objects; a PEM text would be parsed for every call.
    super(signingKey as unknown as string, key.keyId, key.issuerId, bundleId, known);
    this.base = options.urls[environment];
    this.circuit = `${this.base} ${bundleId}`;
    this.keyIsGood = signingKey?.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  }

  async call<T>(work: (client: this) => Promise<T>): Promise<T> {
    if (!this.keyIsGood)
      throw new AppleCallFailed(
        'credentials',
        'The in-app purchase key (subscription_private_key) cannot be read.',
      );
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

  protected override makeFetchRequest(
    path: string,
    parsedQueryParameters: URLSearchParams,
    method: string,
    requestBody: string | Buffer | undefined,
    headers: Record<string, string>,
  ): ReturnType<AppStoreServerAPIClient['makeFetchRequest']> {
    const query = parsedQueryParameters.toString();
    const url = `${this.base}${path}${query === '' ? '' : `?${query}`}`;
    const answer = this.answerOf(url, { method, headers, body: requestBody });
    // The library's types expect another fetch; it uses only ok, status and json().
    return answer as unknown as ReturnType<AppStoreServerAPIClient['makeFetchRequest']>;
  }

  private async answerOf(url: string, request: RequestInit): Promise<Response> {
    const { breaker } = this.options;
    const response = await storeFetch(breaker, this.circuit, url, { ...request, signal: this.deadline });
    // Its errors name lines of the report, which the library drops.
    if (response.status === 400 && url.includes(EXTERNAL_REPORTS)) {
      throw new AppleCallFailed('refused', `The App Store answered: ${storeMessage(await response.text())}`);
    }
    if (response.status === 429) this.retryAfterMs = this.waitOf(response.headers.get('retry-after'));
    return response;
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
