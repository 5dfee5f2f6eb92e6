import type { TestResult } from '../../../libs/file-stores/index.js';
import { kindsOfDestinations, type PlainSettings } from './destination-settings.js';
import type { ExportDestinationDto, StoredSecretDto } from './export-destination.dto.js';
import type { ExportDestination } from './export-destination.entity.js';
import type { ExportDestinationTestDto } from './export-destination-test.dto.js';

export function presentExportDestination(destination: ExportDestination): ExportDestinationDto {
  const { id, name, kind, prefix, createdAt, updatedAt } = destination;
  return {
    object: 'export_destination',
    id,
    name,
    kind,
    prefix,
    ...(kind !== 'local' && { [kind]: presentSettings(destination) }),
    created_at: createdAt.getTime(),
    updated_at: updatedAt.getTime(),
  };
}

function presentSettings({ kind, settings, secretTimes }: ExportDestination): object {
  const { plain, secrets } = kindsOfDestinations[kind];
  const shown = kind === 's3' ? withPathStyle(settings) : settings;
  const times = secrets.map((name): [string, StoredSecretDto] => [
    name,
    { set: secretTimes[name] !== undefined, updated_at: secretTimes[name] ?? null },
  ]);
  return {
    ...Object.fromEntries(plain.map((name) => [name, shown[name] ?? null])),
    ...Object.fromEntries(times),
  };
}

/** Other stores seldom serve a bucket as a host name. */
function withPathStyle(settings: PlainSettings): PlainSettings {
  return { ...settings, path_style: settings.path_style ?? settings.endpoint !== null };
}

export function presentDestinationTest({ ok, steps, seenHostKey }: TestResult): ExportDestinationTestDto {
  return {
    object: 'export_destination_test',
    ok,
    steps,
    ...(seenHostKey !== undefined && { seen_host_key: seenHostKey }),
  };
}
