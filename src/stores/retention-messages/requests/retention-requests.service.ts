import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Clock, within } from '../../../../libs/kernel/index.js';
import { microsToMajor } from '../../../../libs/money/index.js';
import {
  type AppleApp,
  type AppleEnvironment,
  environmentOf,
  keyFields,
  NotGenuine,
  type RetentionAnswer,
  retentionAnswerBody,
  signOffer,
  type SignedRetentionRequest,
} from '../../../../libs/stores/index.js';
import { matchingRules } from '../../../../libs/targeting/index.js';
import type { App } from '../../../catalog/apps/app.entity.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { TransactionsService } from '../../../purchases/transactions/transactions.service.js';
import { AppleService } from '../../app-store/apple.service.js';
import { CredentialHealthService } from '../../shared/credential-health.service.js';
import { type DecidedAnswer, firstAnswer } from './retention-answer.policy.js';
import { type RetentionApp, RetentionAppsService } from './retention-apps.service.js';
import {
  type AskedSubscription,
  askedSubscription,
  productsHeld,
  retentionFacts,
} from './retention-facts.js';
import type { RetentionRequestDto } from './retention-request.dto.js';
import {
  type NewRetentionRequest,
  type RetentionCounts,
  type RetentionPlace,
  RetentionRequestsRepository,
} from './retention-requests.repository.js';

/** Apple waits 700 ms, network included. */
const ANSWER_WITHIN_MS = 500;
const MAX_PER_SECOND = 100;
const DAY_MS = 86_400_000;
const LATE = Symbol('late');

type AnswerBody = ReturnType<typeof retentionAnswerBody>;

interface GivenAnswer {
  /** Null if Apple is to show its default message. */
  body: AnswerBody | null;
  /** Null for a repeated request, which is stored already. */
  request: NewRetentionRequest | null;
}

/** Answers Apple's questions which message to show to a customer who may cancel. */
@Injectable()
export class RetentionRequestsService implements OnApplicationShutdown {
  /** Requests of the current second, by app. */
  private second = { startMs: 0, counts: new Map<string, number>() };
  private readonly writes = new Map<string, { request: NewRetentionRequest; done: Promise<void> }>();

  constructor(
    private readonly repository: RetentionRequestsRepository,
    private readonly retentionApps: RetentionAppsService,
    private readonly apple: AppleService,
    private readonly catalogs: CatalogService,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly health: CredentialHealthService,
    private readonly database: DatabaseService,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Resolves when all answered requests are stored or have failed. */
  async flush(): Promise<void> {
    await Promise.all([...this.writes.values()].map(({ done }) => done));
  }

  /**
   * Null if Apple is to show its default message.
   * @throws ApiError 404 for an unknown app, 400 unless Apple signed the request for it lately, 503 if the answer takes
   * too long or there are too many requests
   */
  async answer(appId: string, { signedPayload }: RetentionRequestDto): Promise<AnswerBody | null> {
    const given = await within(this.decide(appId, signedPayload), ANSWER_WITHIN_MS, LATE);
    if (given === LATE) throw new ApiError('overloaded', 'The answer took too long.');
    // Apple does not wait for the write.
    if (given.request !== null) this.store(given.request);
    return given.body;
  }

  /** Numbers of requests from `from` to before `to`, by the rule that answered. */
  countByRule(place: RetentionPlace, from: Date, to: Date): Promise<RetentionCounts[]> {
    return this.repository.countByRule(place, from, to);
  }

  private async decide(appId: string, signedPayload: string): Promise<GivenAnswer> {
    const known = await this.retentionApps.find(appId);
    if (!known) {
      throw new ApiError('missing', `There is no app ${JSON.stringify(appId)} of this store.`);
    }
    const { app } = known;
    this.count(appId);
    const appleApp = this.apple.appOf(app);
    const signed = await this.verified(appleApp, signedPayload);
    const place = { projectId: app.projectId, appId, requestIdentifier: signed.requestIdentifier };
    const [repeated, subscription] = await Promise.all([
      this.writes.get(keyOf(place))?.request.answer ?? this.repository.findAnswer(place),
      this.subscriptionOf(app, appleApp, signed),
    ]);
    if (repeated !== undefined) return { body: this.repeatedBody(repeated, appleApp, signed), request: null };
    const decided = subscription && (await this.decided(known, appleApp, signed, subscription));
    return {
      body: decided && retentionAnswerBody(decided.answer, decided.signature),
      request: this.requestOf(place, signed, subscription, decided),
    };
  }

  /** @throws ApiError 400 */
  private async verified(app: AppleApp, signedPayload: string): Promise<SignedRetentionRequest> {
    try {
      return await this.apple.services.verifier.retentionRequest(app, signedPayload);
    } catch (error) {
      if (error instanceof NotGenuine) throw new ApiError('invalid_request', error.message);
      throw error;
    }
  }

  private async subscriptionOf(
    { projectId }: App,
    { store }: AppleApp,
    signed: SignedRetentionRequest,
  ): Promise<AskedSubscription | null> {
    const { originalTransactionId: key } = signed;
    const environment = environmentIn(signed);
    const purchaseKeys = { store, environment, keys: [key] };
    const selection = { appUserIds: [], purchaseKeys };
    const customers = await this.customers.select(this.database, projectId, selection);
    return askedSubscription(customers, { store, environment }, key, this.clock.nowMs());
  }

  private async decided(
    { app, rules }: RetentionApp,
    appleApp: AppleApp,
    signed: SignedRetentionRequest,
    subscription: AskedSubscription,
  ): Promise<DecidedAnswer | null> {
    const environment = environmentIn(signed);
    const compiled = rules[environment];
    const isOff = app.storeSettings.answer_retention_requests === false;
    if (isOff || compiled.rules.length === 0) return null;
    const { projectId, id: appId } = app;
    const { customer } = subscription;
    const nowMs = this.clock.nowMs();
    const catalog = await this.catalogs.get(projectId);
    const spending = compiled.usesLifetime
      ? await this.transactions.spendingOf(projectId, customer.id, environment)
      : null;
    const lifetimeUsd = spending
      ? microsToMajor(spending.purchasedMicros - spending.refundedMicros)
      : undefined;
    const known = { appId, attributes: compiled.attributes, lifetimeUsd };
    const facts = retentionFacts(subscription, catalog, known, nowMs);
    return firstAnswer(matchingRules(compiled, facts), {
      catalog,
      held: productsHeld(customer, catalog, nowMs),
      sign: (offer) => this.signature(app, appleApp, offer, signed),
    });
  }

  private signature(
    { projectId, id }: App,
    { key, bundleId }: AppleApp,
    offer: { productId: string; offerId: string },
    { originalTransactionId }: SignedRetentionRequest,
  ): string | null {
    const signature = key && signOffer(key, bundleId, offer, originalTransactionId);
    if (signature === null) {
      const message = `A retention rule has an offer, and the in-app purchase key (${keyFields}) is missing or cannot sign.`;
      this.health.failed(projectId, id, message).catch((error: unknown) => {
        this.log.warn({ err: error, projectId, appId: id }, 'a missing key could not be recorded');
      });
    }
    return signature;
  }

  /** The body of a stored answer. Signatures are not stored. */
  private repeatedBody(
    answer: RetentionAnswer | null,
    { key, bundleId }: AppleApp,
    { originalTransactionId }: SignedRetentionRequest,
  ): AnswerBody | null {
    if (answer?.kind !== 'promotional_offer') return answer && retentionAnswerBody(answer, null);
    const signature = key && signOffer(key, bundleId, answer, originalTransactionId);
    return signature === null ? null : retentionAnswerBody(answer, signature);
  }

  private requestOf(
    place: Pick<NewRetentionRequest, 'projectId' | 'appId' | 'requestIdentifier'>,
    signed: SignedRetentionRequest,
    subscription: AskedSubscription | null,
    decided: DecidedAnswer | null,
  ): NewRetentionRequest {
    const atMs = this.clock.nowMs();
    const endsAtMs = subscription?.owned.state.periodEndsAtMs ?? null;
    return {
      ...place,
      environment: environmentIn(signed),
      subscriptionId: subscription?.owned.row.id ?? null,
      ruleId: decided?.ruleId ?? null,
      answer: decided?.answer ?? null,
      at: new Date(atMs),
      periodEndsAt: endsAtMs === null ? null : new Date(endsAtMs),
      dueAt: subscription ? new Date(atMs + DAY_MS) : null,
    };
  }

  private store(request: NewRetentionRequest): void {
    const key = keyOf(request);
    const { projectId, appId } = request;
    const done = this.repository
      .insert(request)
      .catch((error: unknown) => {
        this.log.warn({ err: error, projectId, appId }, 'an answered retention request could not be stored');
      })
      .finally(() => this.writes.delete(key));
    this.writes.set(key, { request, done });
  }

  /** Limits each process. @throws ApiError 503 */
  private count(appId: string): void {
    const nowMs = this.clock.nowMs();
    const startMs = nowMs - (nowMs % 1_000);
    if (this.second.startMs !== startMs) this.second = { startMs, counts: new Map() };
    const count = (this.second.counts.get(appId) ?? 0) + 1;
    if (count > MAX_PER_SECOND) throw new ApiError('overloaded', 'There are too many requests.');
    this.second.counts.set(appId, count);
  }
}

function keyOf({ appId, requestIdentifier }: { appId: string; requestIdentifier: string }): string {
  return `${appId} ${requestIdentifier}`;
}

function environmentIn({ environment }: SignedRetentionRequest): 'production' | 'sandbox' {
  return environmentOf(environment as AppleEnvironment) === 'production' ? 'production' : 'sandbox';
}
