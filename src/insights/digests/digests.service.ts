import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import { type Actor, type ProjectWrite, systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ChannelMessagesService } from '../../webhooks/deliveries/messages/channel-messages.service.js';
import { CollaboratorsService } from '../../workspace/members/collaborators.service.js';
import { ProjectsService } from '../../workspace/projects/projects.service.js';
import type { CreateDigestDto, UpdateDigestDto } from './digest.dto.js';
import type { Digest } from './digest.entity.js';
import { digestFigures } from './digest-figures.js';
import { nextDue } from './digest-schedule.policy.js';
import { DigestsRepository } from './digests.repository.js';

const MOST = 20;

/** Fields whose values are audited. */
const recordedFields: PlainField<Digest>[] = [
  'name',
  'destinationId',
  'emails',
  'period',
  'weekday',
  'hour',
  'timeZone',
  'figures',
  'environment',
  'sendEmpty',
  'enabled',
];

type Chosen = Pick<
  Digest,
  | 'name'
  | 'destinationId'
  | 'emails'
  | 'period'
  | 'weekday'
  | 'hour'
  | 'timeZone'
  | 'figures'
  | 'environment'
  | 'sendEmpty'
  | 'enabled'
>;

/** Fields that say when a digest is sent. */
const scheduleFields = ['period', 'weekday', 'hour', 'timeZone', 'enabled'] as const;

@Injectable()
export class DigestsService {
  constructor(
    private readonly repository: DigestsRepository,
    private readonly projects: ProjectsService,
    private readonly members: CollaboratorsService,
    private readonly channels: ChannelMessagesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(projectId: string, page: PageRequest): Promise<Digest[]> {
    return this.repository.page(projectId, page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<Digest> {
    return found(await this.repository.find({ projectId, id }), id);
  }

  /**
   * @throws ApiError 400 unless there is either a destination or a member; 404 for an unknown one; 422 for too many
   * digests
   */
  async create(write: ProjectWrite, body: CreateDigestDto): Promise<Digest> {
    const { projectId } = write;
    if (!body.destination_id && !body.emails?.length) throw withoutPlace();
    const chosen = chosenFrom(body, {
      name: body.name,
      destinationId: null,
      emails: [],
      period: body.period,
      weekday: 1,
      hour: 9,
      timeZone: 'UTC',
      figures: [...digestFigures],
      environment: 'production',
      sendEmpty: true,
      enabled: true,
    });
    await this.assertMembers(projectId, chosen.emails);
    const { weekStartsOn } = await this.projects.get(projectId);
    return this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      if ((await this.repository.count(tx, projectId)) >= MOST)
        throw new ApiError('impossible', `A project has at most ${MOST} digests.`);
      await this.assertChannel(tx, projectId, chosen.destinationId);
      const digest: Digest = {
        projectId,
        id: newId('digest', nowMs),
        ...chosen,
        createdAt: new Date(nowMs),
        dueAt: new Date(nextDue(nowMs, { ...chosen, weekStartsOn }).dueMs),
        leaseUntil: null,
        delays: 0,
        lastSentAt: null,
        lastPeriod: null,
      };
      await this.repository.insert(tx, digest);
      await tx.audit({ action: 'created', target: 'digest', targetId: digest.id });
      return digest;
    });
  }

  /** Absent fields stay unchanged. @throws ApiError 404, and those of `create` */
  async update(write: ProjectWrite, id: string, body: UpdateDigestDto): Promise<Digest> {
    const { projectId } = write;
    const before = await this.get(projectId, id);
    const added = chosenFrom(body, before).emails.filter((userId) => !before.emails.includes(userId));
    await this.assertMembers(projectId, added);
    const { weekStartsOn } = await this.projects.get(projectId);
    return this.writes.run(write, async (tx) => {
      const present = found(await this.repository.lock(tx, { projectId, id }), id);
      const chosen = chosenFrom(body, present);
      if (chosen.destinationId !== present.destinationId)
        await this.assertChannel(tx, projectId, chosen.destinationId);
      const isMoved = scheduleFields.some((field) => chosen[field] !== present[field]);
      const { dueMs } = nextDue(tx.nowMs(), { ...chosen, weekStartsOn });
      const changes = { ...chosen, ...(isMoved && { dueAt: new Date(dueMs), leaseUntil: null, delays: 0 }) };
      await this.repository.update(tx, present, changes);
      const data = auditChanges(present, { ...present, ...chosen }, recordedFields);
      await tx.audit({ action: 'updated', target: 'digest', targetId: id, data });
      return { ...present, ...changes };
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      if (!(await this.repository.delete(tx, { projectId: write.projectId, id })))
        throw ApiError.missing('digest', id);
      await tx.audit({ action: 'deleted', target: 'digest', targetId: id });
      return tx.nowMs();
    });
  }

  /** A member no longer gets a digest by mail. The last one switches it off. */
  async removeMember(projectId: string, id: string, userId: string): Promise<void> {
    const [member] = await this.members.members(projectId, [userId]);
    const actor: Actor = member ? { type: 'user', identifier: member.email } : systemChange.actor;
    await this.writes.run({ projectId, actor, request: null }, async (tx) => {
      const present = await this.repository.lock(tx, { projectId, id });
      if (!present?.emails.includes(userId)) return;
      const emails = present.emails.filter((other) => other !== userId);
      const changes = { emails, enabled: present.enabled && emails.length > 0 };
      await this.repository.update(tx, present, changes);
      const data = auditChanges(present, { ...present, ...changes }, recordedFields);
      await tx.audit({ action: 'updated', target: 'digest', targetId: id, data });
    });
  }

  /** @throws ApiError 404 */
  private async assertMembers(projectId: string, userIds: string[]): Promise<void> {
    const members = await this.members.members(projectId, userIds);
    const unknown = userIds.find((id) => !members.some(({ userId }) => userId === id));
    if (unknown !== undefined) throw ApiError.missing('collaborator', unknown, 'emails');
  }

  /** @throws ApiError 404, also for a destination that is no channel */
  private async assertChannel(tx: Transaction, projectId: string, id: string | null): Promise<void> {
    if (id !== null && !(await this.channels.channel(tx, projectId, id)))
      throw ApiError.missing('destination', id, 'destination_id');
  }
}

function withoutPlace(): ApiError {
  return ApiError.parameter('emails', 'A digest needs a destination or a member.');
}

/** @throws ApiError 400 unless there is either a destination or a member */
function chosenFrom(body: UpdateDigestDto, present: Chosen): Chosen {
  const chosen: Chosen = {
    name: body.name ?? present.name,
    destinationId: body.destination_id === undefined ? present.destinationId : body.destination_id,
    emails: [...new Set(body.emails ?? present.emails)],
    period: body.period ?? present.period,
    weekday: body.weekday ?? present.weekday,
    hour: body.hour ?? present.hour,
    timeZone: body.time_zone ?? present.timeZone,
    figures: digestFigures.filter((figure) => (body.figures ?? present.figures).includes(figure)),
    environment: body.environment ?? present.environment,
    sendEmpty: body.send_empty ?? present.sendEmpty,
    enabled: body.enabled ?? present.enabled,
  };
  const { destinationId, emails, enabled } = chosen;
  if (destinationId !== null && emails.length > 0)
    throw ApiError.parameter('emails', 'A digest is sent to a destination or to members, not to both.');
  // One that is off may have none, because its last member has stopped the mails.
  if (destinationId === null && emails.length === 0 && enabled) throw withoutPlace();
  return chosen;
}

/** @throws ApiError 404 */
function found(digest: Digest | null, id: string): Digest {
  if (!digest) throw ApiError.missing('digest', id);
  return digest;
}
