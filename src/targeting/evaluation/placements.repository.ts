import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export interface Placement {
  identifier: string;
  usedBy: { object: 'targeting_rule' | 'experiment'; id: string; displayName: string }[];
}

const inUse = statement(
  'targeting.placements',
  `SELECT u.identifier,
     json_agg(json_build_object('object', u.object, 'id', u.id, 'displayName', u.display_name) ORDER BY u.object DESC, u.id)
       AS "usedBy"
   FROM (
     SELECT row ->> 'placementIdentifier' AS identifier, 'targeting_rule' AS object, r.id, r.display_name
     FROM targeting_rules r, jsonb_array_elements(r.placements -> 'offerings') row WHERE r.project_id = $1
     UNION ALL
     SELECT row ->> 'placementIdentifier', 'experiment', e.id, e.display_name
     FROM experiments e, jsonb_array_elements(e.placements -> 'offerings') row
     WHERE e.project_id = $1 AND e.status <> 'stopped') u
   GROUP BY u.identifier ORDER BY u.identifier COLLATE "C"`,
);

/** Placements have no rows of their own: they are the names used by rules and experiments. */
@Injectable()
export class PlacementsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Sorted by identifier, bytewise. */
  findInUse(projectId: string): Promise<Placement[]> {
    return this.database.query(inUse, [projectId]);
  }
}
