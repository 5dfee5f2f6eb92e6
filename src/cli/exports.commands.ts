import type { Command } from 'commander';
import type { ExportDownloadOptions } from './exports-download.command.js';
import type { ListExportsOptions, RunExportOptions } from './exports-run.command.js';

/** Commands about exports. Each is loaded when it runs. */
export function addExportsCommands(program: Command): void {
  const exports = program.command('exports').description('data of a project for other tools');
  exports
    .command('download')
    .description('write a data set of a project to a file')
    .requiredOption('--project <id>')
    .requiredOption('--dataset <name>', 'transactions, customers, subscriptions, events, ledger or deletions')
    .option('--format <format>', 'csv (with gzip) or parquet', 'csv')
    .option('--environment <environment>', 'production, sandbox or all', 'production')
    .requiredOption('--out <file>', '- is standard output')
    .action(async (options: ExportDownloadOptions) =>
      (await import('./exports-download.command.js')).downloadDataset(options),
    );
  exports
    .command('list')
    .description('list the exports of a project with their last and next run')
    .requiredOption('--project <id>')
    .option('--json', 'one JSON object a line')
    .action(async (options: ListExportsOptions) =>
      (await import('./exports-run.command.js')).listExports(options),
    );
  exports
    .command('run')
    .description('queue a run of an export; the workers of the server deliver it')
    .argument('<export>', 'id of the export')
    .option('--full', 'deliver every row, whatever the mode of the export is')
    .option('--wait', 'end when the run ends, with an error if it fails')
    .action(async (id: string, options: RunExportOptions) =>
      (await import('./exports-run.command.js')).runExport(id, options),
    );
  exports
    .command('rebuild')
    .description('derive the rows that exports and SQL users read again')
    .requiredOption('--project <id>')
    .action(async (options: { project: string }) =>
      (await import('./exports-rebuild.command.js')).rebuildReports(options),
    );
}
