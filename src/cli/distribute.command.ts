import type { DataSource } from 'typeorm';
import { citusVersion } from '../platform/database/citus/distributed-tables.js';
import {
  distribute as distributeTables,
  DistributionBusy,
  RowsLost,
  tablePlaces,
  type TablePlace,
} from '../platform/database/citus/distribution.js';
import { GONE_AFTER_MS } from '../platform/listening/listening-time.service.js';
import { CommandFailed } from './command-failed.js';
import { print, withDatabase } from './context.js';
import { migrationState } from './migration-state.js';

export interface DistributeOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** @throws CommandFailed */
async function assertReady(dataSource: DataSource, isDryRun: boolean): Promise<void> {
  if ((await citusVersion(dataSource)) === null) {
    throw new CommandFailed('This PostgreSQL has no citus extension: nothing to distribute.');
  }
  if ((await migrationState(dataSource)).pending.length > 0)
    throw new CommandFailed('Run tenure migrate first.');
  if (isDryRun) return;
  const [server] = await dataSource.query<{ id: string }[]>(
    `SELECT id FROM notification_listeners WHERE beat_at > now() - $1 * interval '1 millisecond' LIMIT 1`,
    [GONE_AFTER_MS],
  );
  if (server) throw new CommandFailed(`A server is running (${server.id}). Stop all servers first.`);
}

const line = ({ table, kind }: TablePlace, more: string): string =>
  `${table.padEnd(32)} ${kind.padEnd(12)} ${more}`;

/** Distributes the tables over the workers of a Citus cluster. */
export function distribute({ dryRun = false, json = false }: DistributeOptions): Promise<void> {
  return withDatabase(async ({ dataSource }) => {
    await assertReady(dataSource, dryRun);
    const places = await tablePlaces(dataSource);
    const isDone = places.every(({ isDistributed }) => isDistributed);
    const say = (text: string): void => {
      if (!json) print(text);
    };
    if (dryRun) for (const place of places) if (!place.isDistributed) say(line(place, 'planned'));
    if (!dryRun) {
      // Also completes a run that ended after the last table.
      await distributeTables(dataSource, (place, tookMs) => {
        say(line(place, `${Math.round(tookMs / 1_000)} s`));
      }).catch((error: unknown) => {
        if (error instanceof DistributionBusy) {
          throw new CommandFailed('Another process is migrating or distributing this database.');
        }
        throw error instanceof RowsLost ? new CommandFailed(error.message) : error;
      });
    }
    if (isDone) say('Everything is distributed already.');
    if (json) {
      const status = dryRun ? 'planned' : 'done';
      print(
        JSON.stringify(
          places.map(({ table, kind, column, isDistributed }) => ({
            table,
            kind,
            column,
            status: isDistributed ? 'distributed' : status,
          })),
        ),
      );
    }
  });
}
