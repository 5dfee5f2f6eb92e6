import type { ToolDefinition } from '../tool.js';

const name = { name: 'export_id', description: 'The id of an export: `list_exports`.' };

/** None writes: an export moves customers out of the server. */
export const exportTools: ToolDefinition[] = [
  {
    name: 'list_exports',
    title: 'List exports',
    description:
      'What the project delivers to buckets and servers, with the last and the next run, oldest first.',
    operations: ['listExports'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'get_export',
    title: 'Read an export',
    description: 'What an export delivers, its last run and its next start.',
    operations: ['getExport'],
    effect: 'read',
    arguments: [name],
  },
  {
    name: 'list_export_runs',
    title: 'List runs of an export',
    description: 'Deliveries of an export with their files and why they failed, newest first.',
    operations: ['listExportRuns'],
    effect: 'read',
    arguments: [name],
  },
];
