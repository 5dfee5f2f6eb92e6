import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { RoleMapping } from './role-mapping.entity.js';

export interface ListedMapping extends RoleMapping {
  projectName: string;
  /** Null unless `role` is an existing custom role. */
  customName: string | null;
}

const mappings = `SELECT g.org_id AS "orgId", g.id, g.group_name AS "groupName", g.project_id AS "projectId", g.role,
     g.created_at AS "createdAt", p.name AS "projectName", r.name AS "customName"
   FROM role_mappings g
   JOIN projects p ON p.id = g.project_id
   LEFT JOIN custom_roles r ON r.org_id = g.org_id AND r.id = g.role
   WHERE g.org_id = $1`;

const page = statement(
  'role_mappings.page',
  `${mappings} AND ($2::timestamptz IS NULL OR (g.created_at, g.id) > ($2, $3::text))
   ORDER BY g.created_at, g.id LIMIT $4`,
);

const find = statement('role_mappings.find', `${mappings} AND g.id = $2`);

const findByGroup = statement(
  'role_mappings.find_by_group',
  `${mappings} AND lower(g.group_name) = lower($2) AND g.project_id = $3`,
);

@Injectable()
export class RoleMappingsRepository {
  constructor(
    @InjectRepository(RoleMapping) private readonly mappings: Repository<RoleMapping>,
    private readonly database: DatabaseService,
  ) {}

  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<ListedMapping[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }

  async placeOf(orgId: string, id: string): Promise<Place | null> {
    const mapping = await this.find(orgId, id);
    return mapping && [mapping.createdAt, id];
  }

  async find(orgId: string, id: string, executor: Executor = this.database): Promise<ListedMapping | null> {
    return (await executor.query<ListedMapping>(find, [orgId, id]))[0] ?? null;
  }

  /** Ignores the case of the group's name. */
  async findByGroup(
    tx: Transaction,
    { orgId, groupName, projectId }: Pick<RoleMapping, 'orgId' | 'groupName' | 'projectId'>,
  ): Promise<ListedMapping | null> {
    return (await tx.query<ListedMapping>(findByGroup, [orgId, groupName, projectId]))[0] ?? null;
  }

  async insert(tx: Transaction, mapping: RoleMapping): Promise<void> {
    await onTransaction(this.mappings, tx).insert(mapping);
  }

  async update(tx: Transaction, { orgId, id, groupName, role }: RoleMapping): Promise<void> {
    await onTransaction(this.mappings, tx).update({ orgId, id }, { groupName, role });
  }

  async delete(tx: Transaction, orgId: string, id: string): Promise<void> {
    await onTransaction(this.mappings, tx).delete({ orgId, id });
  }
}
