import type { PerformanceTestConfig, UploadMessageRequestBody } from '@apple/app-store-server-library';
import type { DeadlineClient } from './server-api.client.js';
import { AppleCallFailed } from './server-api.errors.js';

export const retentionMessageStates = ['pending_review', 'approved', 'rejected'] as const;
export type RetentionMessageState = (typeof retentionMessageStates)[number];

/** Apple's limits, in characters. */
export const retentionMessageLimits = { header: 66, body: 144 } as const;
export const MAX_RETENTION_URL = 256;

export interface RetentionMessage {
  /** UUID. */
  id: string;
  /** `unknown` for a state that this version does not know. */
  state: RetentionMessageState | 'unknown';
}

export const retentionTestStates = ['pending', 'pass', 'fail', 'unknown'] as const;

/** Apple's test of the address: how fast and how reliably it answers. */
export interface RetentionTest {
  id: string;
  /** `unknown` for a state that this version does not know. */
  state: (typeof retentionTestStates)[number];
  /** Times in milliseconds, rates in percent. */
  config: PerformanceTestConfig;
  /** Null for a test that was just started. */
  results: {
    successRate: number;
    /** Requests that Apple has yet to send. */
    pending: number;
    /** Milliseconds. */
    times: Record<'average' | 'p50' | 'p90' | 'p95' | 'p99', number>;
    /** Numbers of failed requests, by Apple's name of the failure. */
    failures: Record<string, number>;
  } | null;
}

const MESSAGE_NOT_FOUND = 4040015;
const DEFAULT_NOT_FOUND = 4040020;
const TEST_NOT_FOUND = 4040018;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

function stateOf(text: string | undefined): RetentionMessage['state'] {
  return retentionMessageStates.find((state) => state === text?.toLowerCase()) ?? 'unknown';
}

/** Retention messages of one app in one environment. Every failure is an `AppleCallFailed`. */
export class RetentionMessagesApi {
  constructor(private readonly client: DeadlineClient) {}

  async list(): Promise<RetentionMessage[]> {
    const { messageIdentifiers = [] } = await this.client.call((client) => client.getMessageList());
    return messageIdentifiers.flatMap(({ messageIdentifier, messageState }) =>
      messageIdentifier === undefined ? [] : [{ id: messageIdentifier, state: stateOf(messageState) }],
    );
  }

  async upload(id: string, text: Pick<UploadMessageRequestBody, 'header' | 'body'>): Promise<void> {
    await this.client.call((client) => client.uploadMessage(id, text));
  }

  /** Returns false if there is no such message. */
  delete(id: string): Promise<boolean> {
    return this.found(MESSAGE_NOT_FOUND, (client) => client.deleteMessage(id));
  }

  /** Returns false if there is no such message. */
  setDefault(productId: string, locale: string, messageIdentifier: string): Promise<boolean> {
    return this.found(MESSAGE_NOT_FOUND, (client) =>
      client.configureDefaultMessage(encodeURIComponent(productId), encodeURIComponent(locale), {
        messageIdentifier,
      }),
    );
  }

  /** Returns false if there was none. */
  removeDefault(productId: string, locale: string): Promise<boolean> {
    return this.found(DEFAULT_NOT_FOUND, (client) =>
      client.deleteDefaultMessage(encodeURIComponent(productId), encodeURIComponent(locale)),
    );
  }

  async setUrl(realtimeURL: string): Promise<void> {
    await this.client.call((client) => client.configureRealtimeURL({ realtimeURL }));
  }

  /** Starts a test of the address in the sandbox. */
  async startTest(originalTransactionId: string): Promise<RetentionTest> {
    const { requestId, config } = await this.client.call((client) =>
      client.initiatePerformanceTest({ originalTransactionId }),
    );
    return { id: requestId, state: 'pending', config, results: null };
  }

  /** Null if there is no such test. */
  async test(id: string): Promise<RetentionTest | null> {
    let test: RetentionTest | null = null;
    await this.found(TEST_NOT_FOUND, async (client) => {
      const answer = await client.getPerformanceTestResults(id);
      const { config, successRate, numPending: pending, responseTimes: times, failures } = answer;
      const state = retentionTestStates.find((known) => known === answer.result.toLowerCase()) ?? 'unknown';
      test = { id, state, config, results: { successRate, pending, times, failures } };
    });
    return test;
  }

  private async found(
    notFound: number,
    work: (client: DeadlineClient) => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await this.client.call(work);
      return true;
    } catch (error) {
      if (error instanceof AppleCallFailed && error.code === notFound) return false;
      throw error;
    }
  }
}
