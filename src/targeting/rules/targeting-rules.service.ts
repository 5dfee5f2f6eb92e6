import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import type { RuleState } from '../../../libs/targeting/index.js';
import { bumpCatalogVersion } from '../../catalog/shared/catalog-version.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { readConditions } from '../shared/condition.dto.js';
import { NamedOfferings } from '../shared/named-offerings.service.js';
import { type CreateTargetingRuleDto, MAX_RULES, type UpdateTargetingRuleDto } from './targeting-rule.dto.js';
import type { TargetingRule } from './targeting-rule.entity.js';
import {
  offeringsOf,
  type PlacedRule,
  placedRules,
  readPlacements,
  readSchedule,
  sharesOrder,
  stateOf,
} from './targeting-rule.policy.js';
import { placeOfRule, presentPlacements } from './targeting-rule.presenter.js';
import { TargetingRulesRepository } from './targeting-rules.repository.js';

/** Fields that do not affect responses. */
const SILENT = ['display_name', 'position', 'updated_at'];

/** Fields whose values are audited. */
const recordedFields: PlainField<ReturnType<typeof recorded>>[] = [
  'state',
  'displayName',
  'offeringId',
  'conditions',
  'placements',
  'startsAt',
  'endsAt',
  'position',
];

const noSchedule = { startsAt: null, endsAt: null };

/** Every change first raises the catalog version, which locks the project: rules change one at a time. */
@Injectable()
export class TargetingRulesService {
  constructor(
    private readonly repository: TargetingRulesRepository,
    private readonly offerings: NamedOfferings,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400, 404 for an unknown offering, 409 for an id in use, 422 for an archived one or too many */
  async create(write: ProjectWrite, body: CreateTargetingRuleDto): Promise<PlacedRule> {
    const { projectId } = write;
    const appIds = await this.appIds(projectId);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const rule = await this.createIn(tx, body, appIds);
      await tx.audit({ action: 'created', target: 'targeting_rule', targetId: rule.id });
      return this.placed(tx, projectId, rule.id);
    });
  }

  /** For a caller that has raised the catalog version and writes the audit row. */
  async createIn(
    tx: WriteTransaction,
    body: CreateTargetingRuleDto,
    appIds: ReadonlySet<string>,
  ): Promise<TargetingRule> {
    const { projectId } = tx.write;
    const nowMs = tx.nowMs();
    const present = await this.repository.all(projectId, tx);
    if (present.length >= MAX_RULES)
      throw new ApiError('impossible', `A project has at most ${MAX_RULES} targeting rules.`);
    const state = body.state ?? 'inactive';
    const rule: TargetingRule = {
      projectId,
      id: body.id ?? newId('targetingRule', nowMs),
      state,
      displayName: body.display_name,
      offeringId: body.offering_id,
      conditions: readConditions(body.conditions ?? [], 'conditions', appIds),
      placements: readPlacements(body.placements ?? null),
      ...readSchedule(body.schedule, noSchedule, nowMs),
      position: this.lastPosition(present, state) + 1,
      revision: 1,
      createdAt: new Date(nowMs),
      updatedAt: new Date(nowMs),
    };
    this.assertSchedule(rule, nowMs);
    await this.offerings.assertActive(tx, projectId, offeringsOf(rule));
    await orAlreadyExists(
      this.repository.insert(tx, rule),
      'targeting_rules_pkey',
      'id',
      `The project already has a targeting rule ${JSON.stringify(rule.id)}.`,
    );
    return rule;
  }

  /** Absent fields stay unchanged. @throws ApiError as for `create` */
  async update(write: ProjectWrite, id: string, body: UpdateTargetingRuleDto): Promise<PlacedRule> {
    const { projectId } = write;
    const appIds = await this.appIds(projectId);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const all = await this.repository.all(projectId, tx);
      const before = all.find((rule) => rule.id === id);
      if (!before) throw ApiError.missing('targeting rule', id);
      const rule = this.after(before, body, all, appIds, tx.nowMs());
      const namesOfferings = body.offering_id !== undefined || body.placements !== undefined;
      if (namesOfferings || rule.state !== 'inactive')
        await this.offerings.assertActive(tx, projectId, offeringsOf(rule));
      const data = auditChanges(recorded(before), recorded(rule), recordedFields);
      if (data.changed_fields.some((field) => !SILENT.includes(field))) rule.revision += 1;
      rule.updatedAt = new Date(tx.nowMs());
      await this.repository.update(tx, rule);
      await tx.audit({
        action: 'updated',
        target: 'targeting_rule',
        targetId: id,
        data,
      });
      return this.placed(tx, projectId, id);
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('targeting rule', id);
      await tx.audit({ action: 'deleted', target: 'targeting_rule', targetId: id });
      return tx.nowMs();
    });
  }

  /** Reorders all active and scheduled rules. @throws ApiError 400 unless each is listed exactly once */
  reorder(write: ProjectWrite, ids: readonly string[]): Promise<PlacedRule[]> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const placed = placedRules(await this.repository.all(projectId, tx), tx.nowMs());
      const named = new Set(ids);
      const wanted = placed.filter(({ state }) => state !== 'inactive').map(({ rule }) => rule.id);
      if (ids.length !== wanted.length || !wanted.every((id) => named.has(id)))
        throw ApiError.parameter('rule_ids', 'rule_ids must name every live and scheduled rule once.');
      for (const [index, id] of ids.entries())
        await this.repository.setPosition(tx, projectId, id, index + 1);
      await tx.audit({
        action: 'reordered',
        target: 'targeting_rule',
        targetId: projectId,
        data: {
          rule_ids: [...ids],
          ...auditChanges({ ruleIds: wanted }, { ruleIds: [...ids] }, ['ruleIds']),
        },
      });
      return placedRules(await this.repository.all(projectId, tx), tx.nowMs());
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<PlacedRule> {
    const found = (await this.all(projectId)).find(({ rule }) => rule.id === id);
    if (!found) throw ApiError.missing('targeting rule', id);
    return found;
  }

  /** Active, then scheduled, then inactive rules, each in order. */
  async all(projectId: string): Promise<PlacedRule[]> {
    return placedRules(await this.repository.all(projectId), this.clock.nowMs());
  }

  /** Up to `limit + 1`. @throws ApiError 400 for a cursor of another list */
  async page(
    projectId: string,
    state: RuleState | null,
    { after, limit }: PageRequest,
  ): Promise<PlacedRule[]> {
    const all = (await this.all(projectId)).filter((row) => state === null || row.state === state);
    const start = await startOf(after, ['number', 'number'], (id) => {
      const found = all.find(({ rule }) => rule.id === id);
      return Promise.resolve(found ? placeOfRule(found) : null);
    });
    if (start === null) return all.slice(0, limit + 1);
    const [rank, place] = start as [number, number, string];
    return all
      .filter((row) => row.rank > rank || (row.rank === rank && row.place > place))
      .slice(0, limit + 1);
  }

  private after(
    before: TargetingRule,
    body: UpdateTargetingRuleDto,
    all: readonly TargetingRule[],
    appIds: ReadonlySet<string>,
    nowMs: number,
  ): TargetingRule {
    const { conditions, placements, state = before.state } = body;
    const rule: TargetingRule = {
      ...before,
      state,
      displayName: body.display_name ?? before.displayName,
      offeringId: body.offering_id ?? before.offeringId,
      conditions:
        conditions === undefined ? before.conditions : readConditions(conditions, 'conditions', appIds),
      placements: placements === undefined ? before.placements : readPlacements(placements),
      ...readSchedule(body.schedule, before, nowMs),
    };
    if (body.state !== undefined || body.schedule !== undefined) this.assertSchedule(rule, nowMs);
    const isNewlyOrdered = !sharesOrder(state, stateOf(before, nowMs)) || !sharesOrder(state, before.state);
    if (isNewlyOrdered) rule.position = this.lastPosition(all, state) + 1;
    return rule;
  }

  /** A scheduled rule requires a schedule that has not ended. */
  private assertSchedule({ state, startsAt, endsAt }: TargetingRule, nowMs: number): void {
    if (state !== 'scheduled') return;
    if (startsAt === null) throw ApiError.parameter('schedule', 'A scheduled rule needs a schedule.');
    if (endsAt !== null && endsAt.getTime() <= nowMs)
      throw ApiError.parameter('schedule.end_date', 'schedule.end_date must be in the future.');
  }

  private lastPosition(rules: readonly TargetingRule[], state: RuleState): number {
    return Math.max(
      0,
      ...rules.filter((rule) => sharesOrder(rule.state, state)).map((rule) => rule.position),
    );
  }

  private async placed(tx: WriteTransaction, projectId: string, id: string): Promise<PlacedRule> {
    const all = placedRules(await this.repository.all(projectId, tx), tx.nowMs());
    return all.find(({ rule }) => rule.id === id) as PlacedRule;
  }

  private async appIds(projectId: string): Promise<ReadonlySet<string>> {
    return new Set((await this.catalogs.getCurrent(projectId)).apps.keys());
  }
}

/** Returns the rule with placements under their API names. */
function recorded(rule: TargetingRule) {
  return { ...rule, placements: presentPlacements(rule) };
}
