import { Inject, Injectable } from '@nestjs/common';
import {
  type Call,
  definitionOf,
  type Destination,
  maskerOf,
  secretsOf,
  type SettingsProblem,
  type TestContext,
  type Verdict,
  verdictOf,
} from '../../../../libs/destinations/index.js';
import { type Clock, newEventId } from '../../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { ProjectsService } from '../../../workspace/projects/projects.service.js';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import { loggedBody } from '../../deliveries/log/logged-response.js';
import { testEvent } from '../../deliveries/log/test-event.js';
import { maskedRequest, type MaskedRequest } from '../deliveries/destination-requests.service.js';
import { DestinationsService } from '../integrations/destinations.service.js';
import { type CallResult, DestinationCallsService } from '../sending/destination-calls.service.js';
import { DestinationSettingsService } from '../settings/destination-settings.service.js';

const TIMEOUT_MS = 10_000;
const tests: RateLimit = { name: 'destination_tests', max: 10, windowMs: 60_000 };

/** The answer to a test event. Contains no secrets. */
export interface TestResult {
  class: Verdict['class'];
  reasonText: string | null;
  requests: MaskedRequest[];
  responseStatus: number | null;
  responseBody: string | null;
  responseMs: number | null;
}

/** Sends test events to destinations, at once and without a delivery. */
@Injectable()
export class DestinationTestsService {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly settings: DestinationSettingsService,
    private readonly calls: DestinationCallsService,
    private readonly queues: EndpointQueuesService,
    private readonly projects: ProjectsService,
    private readonly writes: ProjectWritesService,
    private readonly limiter: RateLimiterService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Works while the destination is paused, and opens no circuit. After a success, an open circuit sends a probe.
   * @throws ApiError 404; 422 naming a setting without which no test can be sent; 429 after 10 tests in a minute
   */
  async run(write: ProjectWrite, id: string): Promise<TestResult> {
    const { projectId } = write;
    const integration = await this.destinations.get(projectId, id);
    await this.assertWithinLimit(projectId, id);
    const result = await this.send(integration);
    await this.writes.run(write, async (tx) => {
      await this.destinations.lock(tx, projectId, id);
      const data = { class: result.class };
      await tx.audit({ action: 'tested', target: 'destination', targetId: id, data });
      const now = new Date(tx.nowMs());
      if (result.class === 'delivered') await this.queues.sendNow(tx, projectId, id, now);
    });
    return result;
  }

  private async send(integration: DestinationIntegration): Promise<TestResult> {
    const destination = this.settings.open(integration);
    if (!destination) return notSent('A secret could not be read. Enter the keys again.');
    const call = await this.callOf(integration, destination);
    if ('param' in call) throw new ApiError('impossible', call.message, { param: call.param });
    return this.resultOf(destination, call, await this.calls.perform(destination, call, TIMEOUT_MS));
  }

  private async callOf(
    { projectId, appId, type }: DestinationIntegration,
    { settings }: Destination,
  ): Promise<Call | SettingsProblem> {
    const nowMs = this.clock.nowMs();
    const { name: projectName } = await this.projects.get(projectId);
    const webhookEvent = JSON.parse(testEvent(appId, nowMs).body) as TestContext['webhookEvent'];
    return definitionOf(type).test({ projectName, eventId: newEventId(), nowMs, webhookEvent }, settings);
  }

  private resultOf(
    destination: Destination,
    call: Call,
    { response, failure, durationMs }: CallResult,
  ): TestResult {
    const definition = definitionOf(destination.type);
    const verdict =
      (response && definition.testVerdict?.(response)) ??
      verdictOf(definition, response, 0, this.clock.nowMs());
    const secrets = secretsOf(definition.settings, destination.settings);
    const mask = maskerOf(secrets);
    const isDelivered = verdict.class === 'delivered' || verdict.class === 'duplicate';
    const answer = response ? `${definition.name} answered ${response.status}.` : failure?.message;
    const reasonText = verdict.detail || (isDelivered ? null : (answer ?? null));
    return {
      class: verdict.class,
      reasonText: reasonText === null ? null : mask(reasonText),
      requests: [maskedRequest(destination, call)],
      responseStatus: response?.status ?? null,
      responseBody: response && loggedBody(mask(response.body)),
      responseMs: durationMs,
    };
  }

  private async assertWithinLimit(projectId: string, id: string): Promise<void> {
    const { allowed, resetsAt } = await this.limiter.hit(tests, projectId, id);
    if (!allowed) throw this.limiter.refusal('At most 10 tests a minute. Try again later.', resetsAt);
  }
}

function notSent(reasonText: string): TestResult {
  const nothing = { requests: [], responseStatus: null, responseBody: null, responseMs: null };
  return { class: 'refused', reasonText, ...nothing };
}
