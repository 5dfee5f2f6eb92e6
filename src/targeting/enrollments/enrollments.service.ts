import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  type CustomerFacts,
  decide,
  type Decision,
  type ExperimentTerms,
  type TargetingRequest,
  type VariantId,
  variantIds,
} from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { enrollmentEventBody } from '../../webhooks/events/enrollment-event-body.js';
import { EnrollmentsRepository, type EnrollmentWrite } from './enrollments.repository.js';

/** A request from a customer whom an experiment admits. */
export interface Admission {
  catalog: Catalog;
  request: TargetingRequest;
  device: Device;
  isSandbox: boolean;
}

interface Joining {
  admission: Admission;
  customer: CustomerRow;
  experiment: ExperimentTerms;
  variant: VariantId;
  enrolledAtMs: number;
}

function factsOf(
  { originalAppUserId, firstSeenAtMs, blocked, enrollments }: CustomerRow,
  overrideOfferingId: string | null,
): CustomerFacts {
  return {
    originalAppUserId,
    firstSeenAtMs,
    overrideOfferingId,
    isBlocked: blocked,
    enrollments: enrollments.filter(({ isSuperseded }) => !isSuperseded),
    left: enrollments.filter(({ isSuperseded }) => isSuperseded).map(({ experimentId }) => experimentId),
  };
}

/** Enrolls customers in experiments, many in one transaction. */
@Injectable()
export class EnrollmentsService {
  constructor(
    private readonly repository: EnrollmentsRepository,
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns decisions for customers of one project, based on their state under the locks; variants are recorded. */
  joinAll(admissions: Admission[]): Promise<Decision[]> {
    const catalog = admissions
      .map((admission) => admission.catalog)
      .reduce((newest, other) => (other.version > newest.version ? other : newest));
    return this.database.transaction(async (tx) => {
      const { projectId } = catalog;
      const nowMs = this.clock.nowMs();
      const rows = await this.lockOrCreate(tx, projectId, admissions, nowMs);
      const overrides = await this.overrides(tx, catalog, rows);
      const joining: Joining[] = [];
      const decisions = admissions.map((admission) => {
        const customer = rows.find((row) => hasAppUserId(row, admission.request.appUserId));
        if (!customer) throw new ConcurrentChange('another request creates the customer');
        const facts = factsOf(customer, overrides.get(customer.id) ?? null);
        const decision = decide(catalog.targeting, {
          request: admission.request,
          facts,
          nowMs,
          mayJoin: true,
        });
        if (decision.source === 'joins') joining.push(this.enrolled(admission, customer, decision, nowMs));
        return decision;
      });
      if (joining.length === 0) return decisions;
      await this.record(tx, catalog, joining, nowMs);
      return decisions;
    });
  }

  private async lockOrCreate(
    tx: Transaction,
    projectId: string,
    admissions: Admission[],
    nowMs: number,
  ): Promise<CustomerRow[]> {
    const newcomers = new Map(
      admissions.map(({ request, device }) => [request.appUserId, { appUserId: request.appUserId, device }]),
    );
    const known = await this.customers.lock(tx, projectId, { appUserIds: [...newcomers.keys()] });
    return [
      ...known,
      ...(await this.customers.createMissing(tx, projectId, known, [...newcomers.values()], nowMs)),
    ];
  }

  private async overrides(
    tx: Transaction,
    catalog: Catalog,
    rows: CustomerRow[],
  ): Promise<ReadonlyMap<string, string>> {
    if (!catalog.hasOfferingOverrides) return new Map();
    const ids = rows.map(({ id }) => id);
    const found = await this.repository.overrides(tx, catalog.projectId, ids);
    return new Map([...found].filter(([, offeringId]) => catalog.offerings.get(offeringId)?.active));
  }

  /** Also adds the enrollment to the row: another id of the customer may be in the same batch. */
  private enrolled(
    admission: Admission,
    customer: CustomerRow,
    { experiment, variant }: { experiment: ExperimentTerms; variant: VariantId },
    nowMs: number,
  ): Joining {
    const afterLastMs = customer.lastEventAtMs === null ? 0 : customer.lastEventAtMs + 1;
    const enrolledAtMs = Math.max(timeOf(customer, nowMs), afterLastMs);
    customer.enrollments.push({
      experimentId: experiment.id,
      experimentName: experiment.displayName,
      isLive: true,
      variant,
      enrolledAtMs,
      isSuperseded: false,
    });
    return { admission, customer, experiment, variant, enrolledAtMs };
  }

  private async record(
    tx: Transaction,
    catalog: Catalog,
    joining: readonly Joining[],
    nowMs: number,
  ): Promise<void> {
    const rows = joining.map(({ admission, customer, experiment, variant, enrolledAtMs }) => {
      const { request, isSandbox } = admission;
      const { appUserId, appId, platform, country } = request;
      const write: EnrollmentWrite = {
        customerId: customer.id,
        experimentId: experiment.id,
        variant,
        enrolledAtMs,
        appUserId,
        appId,
        platform,
        country,
        isSandbox,
      };
      return write;
    });
    const joined = await this.repository.insert(tx, catalog.projectId, rows);
    await this.recorder.record(tx, { catalog, nowMs }, (change) => {
      for (const { admission, customer, experiment, variant, enrolledAtMs } of joining) {
        if (!joined.has(customer.id)) continue;
        const offeringId = experiment.offerings[variantIds.indexOf(variant)] ?? '';
        const report = {
          experimentId: experiment.id,
          variant,
          offeringKey: catalog.offerings.get(offeringId)?.lookupKey ?? offeringId,
          enrolledAtMs,
        };
        change.addEvent(
          customer,
          null,
          {
            type: 'EXPERIMENT_ENROLLMENT',
            dedupeKey: `experiment:${experiment.id}:${customer.id}`,
            occurredAtMs: enrolledAtMs,
            subscriptionId: null,
            purchaseId: null,
            // Without an app, so that only integrations of the whole project receive it.
            appId: null,
            environment: 'production',
            delivery: 'send',
          },
          (head) => enrollmentEventBody(head, customer, admission.request.appUserId, report),
        );
      }
    });
  }
}
