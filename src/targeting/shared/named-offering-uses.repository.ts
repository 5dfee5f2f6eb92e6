import { Injectable } from '@nestjs/common';
import { type OfferingUse, OfferingUses } from '../../catalog/shared/offering-uses.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const uses = statement(
  'targeting.offering_uses',
  `SELECT r.id, r.display_name AS "displayName" FROM targeting_rules r
   WHERE r.project_id = $1 AND (r.state = 'active' OR r.state = 'scheduled' AND (r.ends_at IS NULL OR r.ends_at > $3))
     AND (r.offering_id = $2 OR r.placements ->> 'fallbackOfferingId' = $2
       OR r.placements -> 'offerings' @> jsonb_build_array(jsonb_build_object('offeringId', $2::text)))
   UNION ALL
   SELECT e.id, e.display_name FROM experiments e
   WHERE e.project_id = $1 AND e.status <> 'stopped'
     AND (e.offerings ? $2
       OR EXISTS (SELECT 1 FROM jsonb_each_text(e.placements -> 'fallback') f WHERE f.value = $2)
       OR EXISTS (
         SELECT 1 FROM jsonb_array_elements(e.placements -> 'offerings') row, jsonb_each_text(row -> 'offerings') v
         WHERE v.value = $2))
   ORDER BY id`,
);

@Injectable()
export class NamedOfferingUses extends OfferingUses {
  forOffering(tx: Transaction, projectId: string, offeringId: string, nowMs: number): Promise<OfferingUse[]> {
    return tx.query(uses, [projectId, offeringId, new Date(nowMs)]);
  }
}
