import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newEventId } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Lease } from '../../platform/jobs/leased-work.js';
import type { LoggedDelivery } from '../../webhooks/deliveries/log/delivery-log.repository.js';
import type { Channel } from '../../webhooks/deliveries/messages/channel-messages.repository.js';
import { ChannelMessagesService } from '../../webhooks/deliveries/messages/channel-messages.service.js';
import { ProjectsService } from '../../workspace/projects/projects.service.js';
import type { Digest } from './digest.entity.js';
import { DigestFiguresService, type PeriodFigures } from './digest-figures.service.js';
import { type DigestText, digestText, isEmpty } from './digest-lines.policy.js';
import { DigestMailsService, type DigestRecipient } from './digest-mails.service.js';
import { type DigestResult, DigestMetrics } from './digest.metrics.js';
import {
  type DigestSchedule,
  lastComplete,
  latestDue,
  nextDue,
  periodKey,
  type ReportedPeriod,
} from './digest-schedule.policy.js';
import { type ClaimedDigest, type DigestKey, DigestsRepository } from './digests.repository.js';

const DELAY_MS = 10 * 60_000;
const MAX_DELAYS = 6;

export interface DigestPreview {
  text: DigestText;
  isComplete: boolean;
  isEmpty: boolean;
}

/** Everything about a digest that is read before the transaction in which it is sent. */
interface Prepared {
  digest: Digest;
  schedule: DigestSchedule;
  reported: ReportedPeriod;
  projectName: string;
  figures: PeriodFigures;
  recipients: DigestRecipient[];
}

/** What `sendNow` did: a message with its delivery, or mails. */
export type SentDigest = { channel: Channel; delivery: LoggedDelivery } | { queued: number };

type Sent = { channel: Channel; deliveryId: string } | { queued: number };

/** Sends digests: at their time, and on request. */
@Injectable()
export class DigestSendingService {
  constructor(
    private readonly repository: DigestsRepository,
    private readonly projects: ProjectsService,
    private readonly figures: DigestFiguresService,
    private readonly channels: ChannelMessagesService,
    private readonly mails: DigestMailsService,
    private readonly metrics: DigestMetrics,
    private readonly writes: ProjectWritesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The text of the last complete period. @throws ApiError 404 */
  async preview(key: DigestKey): Promise<DigestPreview> {
    const prepared = await this.prepare(await this.find(key), lastComplete);
    const { isComplete, values } = prepared.figures;
    return { text: textOf(prepared), isComplete, isEmpty: isEmpty(values) };
  }

  /**
   * Sends the last complete period, whether or not it was sent, and leaves the schedule as it is.
   * @throws ApiError 404; 422 for a paused or deleted destination
   */
  async sendNow(write: ProjectWrite, id: string): Promise<SentDigest> {
    const { projectId } = write;
    const prepared = await this.prepare(await this.find({ projectId, id }), lastComplete);
    const sent = await this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      const done = await this.sendOnRequest(tx, prepared, nowMs);
      await this.repository.update(tx, { projectId, id }, { lastSentAt: new Date(nowMs) });
      await tx.audit({ action: 'sent_now', target: 'digest', targetId: id });
      return done;
    });
    if ('queued' in sent) return sent;
    const { channel, deliveryId } = sent;
    const delivery = await this.channels.delivery({ projectId, integrationId: channel.id }, deliveryId);
    return { channel, delivery };
  }

  /** Sends a leased digest, or puts it off while its figures are computed. */
  async sendDue(claimed: ClaimedDigest, lease: Lease): Promise<void> {
    const digest = await this.repository.find(claimed);
    if (!digest?.enabled) return;
    const prepared = await this.prepare(digest, latestDue);
    await lease.record((leaseUntil) =>
      this.database.transaction(async (tx) => {
        const locked = await this.repository.lock(tx, claimed);
        if (locked?.leaseUntil?.getTime() !== leaseUntil.getTime()) return;
        if (!isSameDigest(locked, digest)) {
          // Changed since it was read: the next poll reads it again.
          await this.repository.update(tx, digest, { leaseUntil: null });
          return;
        }
        const result = await this.sendOrDelay(tx, prepared);
        tx.afterCommit(() => this.metrics.count(result));
      }),
    );
  }

  private async find(key: DigestKey): Promise<Digest> {
    const digest = await this.repository.find(key);
    if (!digest) throw ApiError.missing('digest', key.id);
    return digest;
  }

  private async prepare(
    digest: Digest,
    reportedAt: (nowMs: number, schedule: DigestSchedule) => ReportedPeriod,
  ): Promise<Prepared> {
    const { projectId } = digest;
    const { name: projectName, weekStartsOn } = await this.projects.get(projectId);
    const schedule = { ...digest, weekStartsOn };
    const reported = reportedAt(this.clock.nowMs(), schedule);
    const [figures, recipients] = await Promise.all([
      this.figures.read(digest, reported),
      this.mails.recipients(projectId, digest.emails),
    ]);
    return { digest, schedule, reported, projectName, figures, recipients };
  }

  private async sendOrDelay(tx: Transaction, prepared: Prepared): Promise<DigestResult> {
    const { digest, schedule, reported, figures } = prepared;
    const nowMs = this.clock.nowMs();
    const lastPeriod = periodKey(reported);
    const isRepeated = digest.lastPeriod === lastPeriod;
    if (!figures.isComplete && !isRepeated && digest.delays < MAX_DELAYS) {
      const dueAt = new Date(nowMs + DELAY_MS);
      await this.repository.update(tx, digest, { dueAt, leaseUntil: null, delays: digest.delays + 1 });
      return 'delayed';
    }
    const result = isRepeated ? 'repeated' : await this.sendOnSchedule(tx, prepared, nowMs);
    await this.repository.update(tx, digest, {
      dueAt: new Date(nextDue(nowMs, schedule).dueMs),
      leaseUntil: null,
      delays: 0,
      ...(result === 'sent' && { lastSentAt: new Date(nowMs), lastPeriod }),
    });
    return result;
  }

  private async sendOnSchedule(tx: Transaction, prepared: Prepared, nowMs: number): Promise<DigestResult> {
    const { digest, reported, figures, recipients } = prepared;
    const { projectId, id, destinationId } = digest;
    if (!digest.sendEmpty && isEmpty(figures.values)) return 'empty';
    if (destinationId === null) {
      if (recipients.length === 0) return 'no_recipient';
      await this.queueMails(tx, prepared);
      return 'sent';
    }
    const channel = await this.channels.channel(tx, projectId, destinationId);
    if (!channel) {
      // A deleted destination does not come back.
      await this.repository.update(tx, digest, { enabled: false });
      return 'no_recipient';
    }
    if (!channel.enabled) return 'paused';
    const delivery = await this.post(
      tx,
      prepared,
      destinationId,
      `digest:${id}:${periodKey(reported)}`,
      nowMs,
    );
    return delivery === null ? 'repeated' : 'sent';
  }

  /** @throws ApiError 422 for a paused or deleted destination */
  private async sendOnRequest(tx: Transaction, prepared: Prepared, nowMs: number): Promise<Sent> {
    const { projectId, id, destinationId } = prepared.digest;
    if (destinationId === null) return { queued: await this.queueMails(tx, prepared) };
    const channel = await this.channels.channel(tx, projectId, destinationId);
    if (!channel) throw new ApiError('impossible', 'The destination of this digest has been deleted.');
    if (!channel.enabled) throw new ApiError('impossible', 'The destination of this digest is paused.');
    const key = `digest:${id}:now:${newEventId()}`;
    const deliveryId = await this.post(tx, prepared, destinationId, key, nowMs);
    if (deliveryId === null) throw new Error('a new id exists already');
    return { channel, deliveryId };
  }

  /** Returns the id of the delivery; null if there is one with this key. */
  private post(
    tx: Transaction,
    prepared: Prepared,
    channelId: string,
    dedupeKey: string,
    nowMs: number,
  ): Promise<string | null> {
    const { projectId, environment } = prepared.digest;
    const content = { digest: { ...textOf(prepared), url: this.mails.overviewUrl(projectId) } };
    const message = { projectId, channelId, type: 'DIGEST', dedupeKey, environment, content } as const;
    return this.channels.send(tx, message, nowMs);
  }

  /** Returns the number of mails. */
  private async queueMails(tx: Transaction, prepared: Prepared): Promise<number> {
    const { digest, projectName, recipients } = prepared;
    await this.mails.queue(tx, digest, { text: textOf(prepared), projectName }, recipients);
    return recipients.length;
  }
}

/** Whether two rows differ at most in their lease. */
function isSameDigest(one: Digest, other: Digest): boolean {
  const compared = (digest: Digest) => JSON.stringify({ ...digest, leaseUntil: null, lastSentAt: null });
  return compared(one) === compared(other);
}

function textOf({ digest, projectName, reported, figures }: Prepared): DigestText {
  const { environment, destinationId } = digest;
  return digestText({
    projectName,
    environment,
    period: reported,
    values: figures.values,
    revenueByDay: destinationId === null ? null : figures.revenueByDay,
    isPreliminary: !figures.isComplete,
  });
}
