import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import type { Lookup } from '../protocol/filter-lookup.js';
import type { ScimGroup } from './scim-group.entity.js';

export type CountedGroup = Pick<ScimGroup, 'id' | 'displayName' | 'externalId'> & { memberCount: number };

const columns = `g.org_id AS "orgId", g.id, g.display_name AS "displayName", g.external_id AS "externalId", g.resource,
  g.version, g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
const from = `SELECT ${columns} FROM scim_groups g WHERE g.org_id = $1`;
const inOrder = 'ORDER BY g.created_at, g.id';

const find = statement('scim_groups.find', `${from} AND g.id = $2`);
const lock = statement('scim_groups.lock', `${from} AND g.id = $2 FOR UPDATE`);
const page = statement('scim_groups.page', `${from} ${inOrder} OFFSET $2 LIMIT $3`);
const count = statement(
  'scim_groups.count',
  'SELECT count(*)::int AS total FROM scim_groups WHERE org_id = $1',
);
const batch = statement(
  'scim_groups.batch',
  `${from} AND (g.created_at, g.id) > ($2::timestamptz, $3::text) ${inOrder} LIMIT $4`,
);

const insert = statement(
  'scim_groups.insert',
  `INSERT INTO scim_groups (org_id, id, display_name, external_id, resource, version, updated_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const update = statement(
  'scim_groups.update',
  `UPDATE scim_groups SET display_name = $3, external_id = $4, resource = $5, version = $6, updated_at = $7
   WHERE org_id = $1 AND id = $2`,
);
const remove = statement('scim_groups.delete', 'DELETE FROM scim_groups WHERE org_id = $1 AND id = $2');

function valuesOf(group: ScimGroup): unknown[] {
  const { orgId, id, displayName, externalId, resource, version, updatedAt } = group;
  return [orgId, id, displayName, externalId, resource, version, updatedAt];
}

export const groupLookups = ['id', 'displayName', 'externalId', 'member'] as const satisfies Lookup['by'][];

const lookups: Record<(typeof groupLookups)[number], Statement> = {
  id: find,
  displayName: statement('scim_groups.by_name', `${from} AND lower(g.display_name) = lower($2) ${inOrder}`),
  externalId: statement('scim_groups.by_external_id', `${from} AND g.external_id = $2 ${inOrder}`),
  member: statement(
    'scim_groups.by_member',
    `${from} AND g.id IN (SELECT m.group_id FROM scim_group_members m WHERE m.org_id = $1 AND m.scim_user_id = $2)
     ${inOrder}`,
  ),
};

const counted = statement(
  'scim_groups.counted',
  `SELECT g.id, g.display_name AS "displayName", g.external_id AS "externalId", (SELECT count(*)::int
     FROM scim_group_members m WHERE m.org_id = g.org_id AND m.group_id = g.id) AS "memberCount"
   FROM scim_groups g WHERE g.org_id = $1 ORDER BY lower(g.display_name), g.id`,
);

@Injectable()
export class ScimGroupsRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, group: ScimGroup): Promise<void> {
    await tx.query(insert, [...valuesOf(group), group.createdAt]);
  }

  async update(tx: Transaction, group: ScimGroup): Promise<void> {
    await tx.query(update, valuesOf(group));
  }

  async delete(tx: Transaction, orgId: string, id: string): Promise<void> {
    await tx.query(remove, [orgId, id]);
  }

  async find(orgId: string, id: string): Promise<ScimGroup | null> {
    return (await this.database.query<ScimGroup>(find, [orgId, id]))[0] ?? null;
  }

  /** Prevents other requests from changing the group until `tx` ends. */
  async lock(tx: Transaction, orgId: string, id: string): Promise<ScimGroup | null> {
    return (await tx.query<ScimGroup>(lock, [orgId, id]))[0] ?? null;
  }

  /** Uses an index. Names are case-insensitive. */
  lookup(orgId: string, { by, value }: Lookup): Promise<ScimGroup[]> {
    return this.database.query(lookups[groupLookups.find((name) => name === by) ?? 'id'], [orgId, value]);
  }

  /** Returns groups oldest first. */
  page(orgId: string, offset: number, limit: number): Promise<ScimGroup[]> {
    return this.database.query(page, [orgId, offset, limit]);
  }

  async count(orgId: string): Promise<number> {
    return (await this.database.query<{ total: number }>(count, [orgId]))[0]?.total ?? 0;
  }

  /** Returns up to `limit` groups after `after`, oldest first. */
  batch(
    orgId: string,
    after: Pick<ScimGroup, 'createdAt' | 'id'> | null,
    limit: number,
  ): Promise<ScimGroup[]> {
    return this.database.query(batch, [orgId, after?.createdAt ?? '-infinity', after?.id ?? '', limit]);
  }

  /** Returns all groups, by name. */
  counted(orgId: string): Promise<CountedGroup[]> {
    return this.database.query(counted, [orgId]);
  }
}
