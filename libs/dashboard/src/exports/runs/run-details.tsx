import type { ReactNode } from 'react';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { KeyValues } from '../../ui/key-values.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { datasetLabel } from '../dataset-labels.js';
import { HOST_KEY_CHANGED } from '../error-words.js';
import { type ExportRun, isRunning } from '../exports.queries.js';
import { LastRun } from './last-run.js';
import { modeText, triggerText } from './run-texts.js';
import { Duration, Size } from './runs-list.js';

/** How a run went, and the files that it wrote. */
export function RunDetails({ run }: { run: ExportRun }) {
  const { state, mode, rows, files, error, warnings, attempt } = run;
  const isUnchanged = state === 'succeeded' && mode === 'incremental' && rows === 0;
  const failure = state === 'succeeded' ? null : error;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {isUnchanged && <p>No rows changed since the last run.</p>}
      {failure !== null && (
        <p className="wrap-anywhere">
          {isRunning(run) && 'The last attempt failed: '}
          <DataText>{failure.code === 'host_key_changed' ? HOST_KEY_CHANGED : failure.message}</DataText>
        </p>
      )}
      <KeyValues
        items={[
          ['Result', <LastRun key="result" run={run} />],
          ['Mode', modeText(run)],
          ['Data as of', <Time key="data" ms={run.data_until} show="full" />],
          ['Started', <Time key="started" ms={run.started_at} show="full" none="Not yet" />],
          ['Duration', <Duration key="duration" run={run} />],
          ['Rows', <Num key="rows" value={rows} />],
          ['Size', <Size key="size" bytes={run.bytes} />],
          ['Started by', triggerText[run.trigger]],
          ...(attempt > 1 ? [['Attempt', `${attempt} of 3`] as const] : []),
          ['Run', <CopyId key="id" id={run.id} />],
        ]}
      />
      {warnings.length > 0 && (
        <Section title="Warnings">
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {warnings.map((warning) => (
              <li key={warning}>
                <DataText>{warning}</DataText>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {files.length > 0 && (
        <Section title="Files">
          <ul className="flex flex-col gap-3">
            {files.map((file) => (
              <li key={file.key} className="min-w-0 rounded-md border border-line px-3 py-2">
                <p className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-medium">{visibleText(datasetLabel(file.dataset))}</span>
                  <span className="text-sm text-muted">
                    <Num value={file.rows} /> {file.rows === 1 ? 'row' : 'rows'}, <Size bytes={file.bytes} />
                  </span>
                </p>
                <DataText mono className="text-sm">
                  {file.key}
                </DataText>
                <p className="flex min-w-0 items-center gap-1 text-sm text-muted">
                  <span className="shrink-0">SHA-256</span>
                  <CopyId id={file.sha256} label={`SHA-256 of ${file.key}`} />
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      {children}
    </section>
  );
}
