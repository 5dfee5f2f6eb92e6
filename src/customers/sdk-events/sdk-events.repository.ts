import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { viewOf } from './sdk-event-kinds.js';

export interface SdkEvent {
  id: string;
  atMs: number;
  /** True if the time was too far in the future; `atMs` is then the time of receipt. */
  isClockWrong: boolean;
  kind: string;
  appUserId: string;
  paywallId: string | null;
  offeringId: string | null;
  sessionId: string | null;
  locale: string | null;
  data: Record<string, string | number | boolean>;
}

/** An accepted event with what is known about its sender. */
export interface ReceivedEvent extends SdkEvent {
  projectId: string;
  appId: string;
  isSandbox: boolean;
  platform: string | null;
  receivedAtMs: number;
}

interface View {
  environment: string;
  appUserId: string;
  paywallId: string;
  firstAtMs: number;
  initiatedAtMs: number | null;
}

/**
 * Rows in a fixed order, so that two processes with the same events do not deadlock. An event whose clock is wrong has
 * another time in each repeat, so it is looked up by its id.
 */
const insertEvents = statement(
  'sdk_events.insert',
  `INSERT INTO sdk_events (project_id, at, received_at, id, session_id, is_sandbox, kind, app_id, app_user_id,
     paywall_id, offering_id, platform, locale, data)
   SELECT a.project_id, to_timestamp(e."atMs" / 1000.0), to_timestamp(e."receivedAtMs" / 1000.0), e.id, e."sessionId",
     e."isSandbox", e.kind, e."appId", e."appUserId", e."paywallId", e."offeringId", e.platform, e.locale, e.data
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS e("atMs" bigint, "receivedAtMs" bigint, id uuid,
     "sessionId" uuid, "isSandbox" boolean, kind text, "appId" text, "appUserId" text, "paywallId" text, "offeringId" text,
     platform text, locale text, data json, "isClockWrong" boolean)
   WHERE a.project_id = $1 AND a.app_id = '' AND (NOT e."isClockWrong" OR NOT EXISTS (
     SELECT 1 FROM sdk_events s WHERE s.project_id = $1 AND s.app_user_id = e."appUserId" AND s.id = e.id))
   ORDER BY e."atMs", e.id
   ON CONFLICT (project_id, at, id) DO NOTHING`,
);

/** Writes nothing if no time becomes earlier. */
const upsertViews = statement(
  'paywall_views.upsert',
  `INSERT INTO paywall_views AS v (project_id, environment, app_user_id, paywall_id, first_at, initiated_at)
   SELECT a.project_id, s.environment, s."appUserId", s."paywallId", to_timestamp(s."firstAtMs" / 1000.0),
     to_timestamp(s."initiatedAtMs" / 1000.0)
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS s(environment text, "appUserId" text,
     "paywallId" text, "firstAtMs" bigint, "initiatedAtMs" bigint)
   WHERE a.project_id = $1 AND a.app_id = ''
   ORDER BY s.environment, s."appUserId", s."paywallId"
   ON CONFLICT (project_id, environment, app_user_id, paywall_id) DO UPDATE SET
     first_at = least(v.first_at, excluded.first_at), initiated_at = least(v.initiated_at, excluded.initiated_at)
   WHERE excluded.first_at < v.first_at OR excluded.initiated_at < v.initiated_at
     OR (v.initiated_at IS NULL AND excluded.initiated_at IS NOT NULL)`,
);

function keyOf({ id, atMs, isClockWrong }: ReceivedEvent): string {
  return isClockWrong ? id : `${id}/${atMs}`;
}

function viewsOf(events: readonly ReceivedEvent[]): View[] {
  const views = new Map<string, View>();
  for (const { kind, data, atMs, isSandbox, appUserId, paywallId } of events) {
    const counts = viewOf(kind, data.component_type);
    if (counts === null) continue;
    const environment = isSandbox ? 'sandbox' : 'production';
    const key = JSON.stringify([environment, appUserId, paywallId]);
    const view = views.get(key) ?? {
      ...{ environment, appUserId, paywallId: paywallId ?? '', firstAtMs: atMs, initiatedAtMs: null },
    };
    view.firstAtMs = Math.min(view.firstAtMs, atMs);
    if (counts === 'initiated') view.initiatedAtMs = Math.min(view.initiatedAtMs ?? atMs, atMs);
    views.set(key, view);
  }
  return [...views.values()];
}

@Injectable()
export class SdkEventsRepository {
  /** Stores events of one project, each once, with the views that they prove. */
  async store(tx: Transaction, projectId: string, events: readonly ReceivedEvent[]): Promise<void> {
    const unique = [...new Map(events.map((event) => [keyOf(event), event])).values()];
    const views = viewsOf(unique);
    await tx.query(insertEvents, [projectId, JSON.stringify(unique)]);
    if (views.length > 0) await tx.query(upsertViews, [projectId, JSON.stringify(views)]);
  }
}
