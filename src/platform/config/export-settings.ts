import { integer, text } from './setting-values.js';
import { setting } from './setting.js';

export const exportSettings = {
  exportDir: setting<string | null>({
    variable: 'SERVICE_EXPORT_DIR',
    description:
      'Folder for export destinations of the kind `local`. Each project has its own folder in it. All processes that ' +
      'run jobs must reach it.',
    default: null,
    defaultNote: 'none: there are no such destinations',
    parse: text(1000),
  }),
  exportConcurrency: setting({
    variable: 'SERVICE_EXPORT_CONCURRENCY',
    description: 'Runs of exports that one process works on at once.',
    default: 2,
    parse: integer(1, 16),
  }),
  exportSnapshotMinutes: setting({
    variable: 'SERVICE_EXPORT_SNAPSHOT_MINUTES',
    description:
      'How long (minutes) an export or a download of a data set may read from one snapshot of the database. ' +
      'Vacuum removes no rows that the snapshot can see.',
    default: 60,
    parse: integer(1, 1440),
  }),
};
