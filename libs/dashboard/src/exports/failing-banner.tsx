import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.js';
import { FormError } from '../ui/forms/form.js';
import { Notice } from '../ui/notice.js';
import { DataText } from '../ui/text/data-text.js';
import { TestDialog } from './destinations/test-dialog.js';
import { HOST_KEY_CHANGED, wordsOf } from './error-words.js';
import { destinationsQuery, type Export, type ExportRun, isRunning } from './exports.queries.js';
import { useRunExport } from './exports.writes.js';
import { useExportReason } from './use-may-export.js';

const ENOUGH = 2;

interface FailingBannerProps {
  projectId: string;
  found: Export;
  /** The loaded runs, newest first. */
  runs: readonly ExportRun[];
}

/** Says why the last runs failed, if it was more than one, or if only a person can make the next one succeed. */
export function FailingBanner({ projectId, found, runs }: FailingBannerProps) {
  const run = useRunExport(projectId, found.id);
  const { consecutive_failures: failures, last_run: last } = found;
  const reasons = { run: useExportReason('runExport'), test: useExportReason('testExportDestination') };
  const destinations = useQuery(destinationsQuery(projectId));
  const destination = destinations.data?.find(({ id }) => id === found.destination_id);
  const [isChecking, setIsChecking] = useState(false);
  const error = [...(last ? [last] : []), ...runs].find(({ state }) => state === 'failed')?.error ?? null;
  const isOtherKey = error?.code === 'host_key_changed';
  if (failures < (isOtherKey ? 1 : ENOUGH)) return null;
  return (
    <>
      <Notice tone="bad">
        <p>
          {failures === 1 ? 'The last run' : `The last ${failures} runs`} of this export failed
          {error && (
            <>
              : <DataText>{sentenceOf(error)}</DataText>
            </>
          )}
        </p>
        <FormError error={run.error?.message} />
        <div className="flex flex-wrap gap-2">
          {isOtherKey && destination && (
            <Button size="sm" icon="shield" disabledReason={reasons.test} onClick={() => setIsChecking(true)}>
              Check the host key
            </Button>
          )}
          <Button
            size="sm"
            icon="refresh"
            busy={run.isPending}
            disabledReason={reasons.run ?? (last && isRunning(last) ? 'A run is in progress.' : null)}
            onClick={() => run.mutate({})}
          >
            Run again
          </Button>
        </div>
      </Notice>
      {isChecking && destination && (
        <TestDialog projectId={projectId} destination={destination} onClose={() => setIsChecking(false)} />
      )}
    </>
  );
}

function sentenceOf({ code, message }: NonNullable<ExportRun['error']>): string {
  if (code === 'host_key_changed') return HOST_KEY_CHANGED;
  return message === '' ? `${wordsOf(code)}.` : message;
}
