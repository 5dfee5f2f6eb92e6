import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { acrossProjects, statement } from '../../../platform/database/statement.js';
import type { Circuit } from './circuit.js';

const lock = statement(
  'webhook_circuits.lock',
  `INSERT INTO webhook_circuits AS c (project_id, webhook_integration_id, failures) VALUES ($1, $2, 0)
   ON CONFLICT (project_id, webhook_integration_id) DO UPDATE SET failures = c.failures
   RETURNING failures, opened_at AS "openedAt", probe_at AS "probeAt", failed_probes AS "failedProbes"`,
);

const save = statement(
  'webhook_circuits.save',
  `UPDATE webhook_circuits SET failures = $3, opened_at = $4, probe_at = $5, probe_lease_until = NULL,
     failed_probes = $6, limited = 0
   WHERE project_id = $1 AND webhook_integration_id = $2`,
);

const close = statement(
  'webhook_circuits.close',
  `DELETE FROM webhook_circuits WHERE project_id = $1 AND webhook_integration_id = $2
   RETURNING opened_at IS NOT NULL AS "wasOpen"`,
);

const hold = statement(
  'webhook_circuits.hold',
  `INSERT INTO webhook_circuits AS c (project_id, webhook_integration_id, failures, not_before, limited)
   VALUES ($1, $2, 0, $3, 1)
   ON CONFLICT (project_id, webhook_integration_id) DO UPDATE
     SET not_before = greatest(c.not_before, EXCLUDED.not_before), limited = c.limited + 1`,
);

const pause = statement(
  'webhook_circuits.pause',
  `INSERT INTO webhook_circuits AS c (project_id, webhook_integration_id, failures, not_before) VALUES ($1, $2, 0, $3)
   ON CONFLICT (project_id, webhook_integration_id) DO UPDATE SET not_before = greatest(c.not_before, EXCLUDED.not_before)`,
);

const probeNow = statement(
  'webhook_circuits.probe_now',
  `UPDATE webhook_circuits SET probe_at = $3, probe_lease_until = NULL
   WHERE project_id = $1 AND webhook_integration_id = $2 AND opened_at IS NOT NULL`,
);

const openIn = statement(
  'webhook_circuits.open_in',
  `SELECT webhook_integration_id AS id FROM webhook_circuits
   WHERE project_id = $1 AND opened_at IS NOT NULL AND webhook_integration_id = ANY($2)`,
);

const statesOf = statement(
  'webhook_circuits.states_of',
  `SELECT webhook_integration_id AS id, opened_at IS NOT NULL AS "isOpen",
     CASE WHEN limited > 0 AND not_before > $3 THEN not_before END AS "quietUntil"
   FROM webhook_circuits WHERE project_id = $1 AND webhook_integration_id = ANY($2)`,
);

const count = acrossProjects(
  'webhook_circuits.count',
  `SELECT count(*) FILTER (WHERE probe_at > $1)::int AS open, count(*) FILTER (WHERE probe_at <= $1)::int AS "halfOpen"
   FROM webhook_circuits c
   JOIN webhook_integrations w ON w.project_id = c.project_id AND w.id = c.webhook_integration_id
   WHERE c.opened_at IS NOT NULL AND w.type = 'webhook' AND ${isHere('c.project_id')}`,
);

export interface EndpointState {
  /** The circuit is open. */
  isOpen: boolean;
  /** End of the pause that the endpoint asked for; null without one. */
  quietUntil: Date | null;
}

/** Circuits of endpoints, and the pauses they asked for. An endpoint without a row is healthy. */
@Injectable()
export class CircuitsRepository {
  constructor(private readonly database: DatabaseService) {}

  async lock(tx: Transaction, projectId: string, webhookIntegrationId: string): Promise<Circuit> {
    const [circuit] = await tx.query<Circuit>(lock, [projectId, webhookIntegrationId]);
    if (!circuit) throw new Error('an upsert gave no row');
    return circuit;
  }

  async save(
    tx: Transaction,
    projectId: string,
    webhookIntegrationId: string,
    circuit: Circuit,
  ): Promise<void> {
    const { failures, openedAt, probeAt, failedProbes } = circuit;
    await tx.query(save, [projectId, webhookIntegrationId, failures, openedAt, probeAt, failedProbes]);
  }

  /** Deletes all failures of an endpoint. Returns true if its circuit was open. */
  async close(executor: Executor, projectId: string, webhookIntegrationId: string): Promise<boolean> {
    const rows = await executor.query<{ wasOpen: boolean }>(close, [projectId, webhookIntegrationId]);
    return rows[0]?.wasOpen ?? false;
  }

  /** Sends nothing before a time, because the endpoint limits its rate. */
  async hold(tx: Transaction, projectId: string, webhookIntegrationId: string, until: Date): Promise<void> {
    await tx.query(hold, [projectId, webhookIntegrationId, until]);
  }

  /** Sends nothing before a time, because each delivery is followed by a pause. */
  async pause(tx: Transaction, projectId: string, webhookIntegrationId: string, until: Date): Promise<void> {
    await tx.query(pause, [projectId, webhookIntegrationId, until]);
  }

  /** Allows an open circuit's next probe immediately. */
  async probeNow(tx: Transaction, projectId: string, webhookIntegrationId: string, now: Date): Promise<void> {
    await tx.query(probeNow, [projectId, webhookIntegrationId, now]);
  }

  async openOf(projectId: string, webhookIntegrationIds: string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(openIn, [projectId, webhookIntegrationIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** By integration. Healthy endpoints are absent. */
  async statesOf(projectId: string, ids: string[], now: Date): Promise<Map<string, EndpointState>> {
    const rows = await this.database.query<EndpointState & { id: string }>(statesOf, [projectId, ids, now]);
    return new Map(rows.map(({ id, ...state }) => [id, state]));
  }

  /** Number of open circuits of webhooks in all projects, and of those waiting for a delivery to probe with. */
  async count(now: Date): Promise<{ open: number; halfOpen: number }> {
    const [row] = await this.database.query<{ open: number; halfOpen: number }>(count, [now]);
    return row ?? { open: 0, halfOpen: 0 };
  }
}
