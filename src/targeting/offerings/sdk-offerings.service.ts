import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  type CustomerFacts,
  decide,
  type Decision,
  enrolledIn,
  isOutOfAll,
} from '../../../libs/targeting/index.js';
import type { Catalog, CatalogApp } from '../../catalog/snapshot/catalog.model.js';
import { SdkCatalogService, type SdkText } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { EnrollmentQueueService } from '../enrollments/enrollment-queue.service.js';
import type { StoredCustomer } from './customer-facts.repository.js';
import { CustomerFactsService } from './customer-facts.service.js';
import type { Known } from './known-customers.service.js';
import { OfferingTexts } from './offering-texts.service.js';
import { paywallFormFor } from './paywall-form.policy.js';
import { askingDevice, type AskingDevice } from './targeting-request.js';

const byDefault: Decision = { source: 'default' };

/** Input of a decision. */
interface Asked extends AskingDevice {
  catalog: Catalog;
  mayJoin: boolean;
  holdsAnswer: boolean;
}

/** Offerings for SDKs. Most responses are cached, and only data that a rule or experiment needs is read. */
@Injectable()
export class SdkOfferingsService {
  constructor(
    private readonly clients: SdkCatalogService,
    private readonly texts: OfferingTexts,
    private readonly customers: CustomerFactsService,
    private readonly enrollments: EnrollmentQueueService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 for a secret key without a usable platform, 503 as for `decideBlindly` */
  async answer(request: ApiRequest, appUserId: string): Promise<SdkText> {
    const client = sdkClientOf(request);
    const { catalog, app } = await this.clients.caller(client);
    const oldAndroidSdk =
      client.platform?.toLowerCase() === 'android' && Number.parseInt(client.sdkVersion ?? '', 10) < 6;
    const decision = await this.decision(request, catalog, app, appUserId);
    const paywalls = paywallFormFor({
      platform: client.platform,
      sdkVersion: client.sdkVersion,
      acceptLanguage: request.headers['accept-language'],
    });
    return this.texts.get(catalog, { appId: app.id, oldAndroidSdk, paywalls }, decision);
  }

  private decision(
    request: ApiRequest,
    catalog: Catalog,
    app: CatalogApp,
    appUserId: string,
  ): Decision | Promise<Decision> {
    const { rules, live } = catalog.targeting;
    const isPlain = rules.length === 0 && live.size === 0;
    if (isPlain && !catalog.hasOfferingOverrides) return byDefault;
    const asked: Asked = {
      ...askingDevice(request, app, appUserId),
      catalog,
      mayJoin: request.principal?.kind !== 'secret_key',
      holdsAnswer: Boolean(request.headers['x-revenuecat-etag']),
    };
    if (isPlain) return this.overrideOrDefault(asked);
    return this.decideUnread(asked) ?? this.decideByFacts(asked);
  }

  /** Returns a decision that needs no read; undefined if a read is needed. */
  private decideUnread(asked: Asked): Decision | undefined {
    const { catalog, request } = asked;
    const { targeting } = catalog;
    if (catalog.hasOfferingOverrides || targeting.attributes.length > 0) return undefined;
    if (targeting.live.size === 0) return this.decide(asked, null);
    const known = this.customers.remembered(catalog, request.appUserId);
    return known === null ? undefined : this.ofKnown(asked, known);
  }

  private ofKnown(asked: Asked, known: Known): Decision | undefined {
    if (known === 'out') return this.decide(asked, null);
    const experiment = asked.catalog.targeting.live.get(known.experimentId);
    return experiment && { source: 'enrolled', experiment: experiment.terms, variant: known.variant };
  }

  private async overrideOrDefault(asked: Asked): Promise<Decision> {
    const { catalog, request } = asked;
    const offeringId = await this.customers.overrideOrWarn(catalog.projectId, request.appUserId);
    if (offeringId === undefined) return this.decideBlindly(asked);
    return offeringId !== null && catalog.offerings.get(offeringId)?.active
      ? { source: 'override', offeringId }
      : byDefault;
  }

  private async decideByFacts(asked: Asked): Promise<Decision> {
    const { catalog, request } = asked;
    const { mark } = this.customers;
    const stored = await this.customers.findOrWarn(catalog, request.appUserId);
    if (stored === undefined) return this.decideBlindly(asked);
    if (stored) asked.request.attributes = new Map(Object.entries(stored.attributes));
    const facts = this.factsOf(catalog, request.appUserId, stored);
    const decision = this.decide(asked, facts);
    if (decision.source !== 'joins') {
      if (stored !== null) this.remember(catalog, request.appUserId, facts, mark);
      return decision;
    }
    if (this.enrollments.isFull) return this.decide({ ...asked, mayJoin: false }, facts);
    return (await this.enrollments.join(asked)) ?? decision;
  }

  /**
   * Decides from the request alone if the customer cannot be read. An SDK with a cached response gets a 503 and keeps
   * it, so that a variant stays the same; a new customer still sees a paywall.
   */
  private decideBlindly(asked: Asked): Decision {
    if (asked.holdsAnswer)
      throw new ApiError('overloaded', 'The customer could not be read; try again.', { retryAfterS: 5 });
    return decide(asked.catalog.targeting, {
      request: asked.request,
      facts: null,
      nowMs: this.clock.nowMs(),
      mayJoin: false,
      isBlind: true,
    });
  }

  private decide({ catalog, request, mayJoin }: Asked, facts: CustomerFacts | null): Decision {
    return decide(catalog.targeting, { request, facts, nowMs: this.clock.nowMs(), mayJoin });
  }

  /** Treats an unknown id as a new customer. */
  private factsOf(catalog: Catalog, appUserId: string, stored: StoredCustomer | null): CustomerFacts {
    const unknown = {
      originalAppUserId: appUserId,
      firstSeenAtMs: null,
      overrideOfferingId: null,
      isBlocked: false,
      enrollments: [],
      left: [],
    };
    if (stored === null) return unknown;
    const isShown = catalog.offerings.get(stored.overrideOfferingId ?? '')?.active;
    return isShown ? stored : { ...stored, overrideOfferingId: null };
  }

  private remember(catalog: Catalog, appUserId: string, facts: CustomerFacts, mark: number): void {
    const { targeting } = catalog;
    if (targeting.live.size === 0) return;
    const enrolled = enrolledIn(targeting, facts);
    if (enrolled) this.customers.remember(catalog, appUserId, enrolled, mark);
    else if (isOutOfAll(targeting, facts)) this.customers.remember(catalog, appUserId, 'out', mark);
  }
}
