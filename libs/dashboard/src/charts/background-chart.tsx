import { useState } from 'react';
import { CallError } from '../api/call-error.js';
import { type Loaded, useAfter } from '../ui/loading/loaded.js';
import { Panel } from '../ui/panel.js';
import { Progress } from '../ui/progress.js';

const COMPUTING = 'chart_computing';
const reasons = [COMPUTING, 'too_many_charts', 'chart_failed'];
const USUAL_RETRY_S = 10;
const MS_PER_SECOND = 1000;

/** Whether the server computes the chart in the background, or will do so later. */
function isInBackground(error: unknown): error is CallError {
  return error instanceof CallError && reasons.includes(error.reason ?? '');
}

export function isComputing(error: unknown): error is CallError {
  return error instanceof CallError && error.reason === COMPUTING;
}

export function retryMs({ retryAfterS }: CallError): number {
  return (retryAfterS ?? USUAL_RETRY_S) * MS_PER_SECOND;
}

/** When to ask again for a chart in the background; never for other errors. */
export function askAgainMs(error: unknown): number | false {
  return isInBackground(error) ? retryMs(error) : false;
}

/** Reads the progress from "The chart is being computed: 12 of 500 parts are done." */
export function partsOf(message: string): { done: number; all: number } | null {
  const [, done, all] = /(\d+) of (\d+) parts/.exec(message) ?? [];
  return done === undefined || all === undefined ? null : { done: Number(done), all: Number(all) };
}

/** Returns what to show instead of the chart. It remains while the chart is asked for again. */
export function useBackground({ data, error, isFetching }: Loaded<unknown>): CallError | 'slow' | null {
  const [last, setLast] = useState<CallError | null>(null);
  const isSlow = useAfter(isFetching && data === undefined, 3000);
  if (isInBackground(error) && error !== last) setLast(error);
  const isOver = !isInBackground(error) && (error !== null || !isFetching);
  if (last !== null && isOver) setLast(null);
  return last ?? (isSlow ? 'slow' : null);
}

/** A chart that is computed in the background. */
export function BackgroundChart({ state }: { state: CallError | 'slow' }) {
  const reason = state === 'slow' ? COMPUTING : state.reason;
  const { title, text } = textsOf(reason);
  const parts = state === 'slow' ? null : partsOf(state.message);
  return (
    <Panel className="p-4">
      <div role="status" className="flex flex-col gap-2">
        <p className="font-medium">{title}</p>
        <p className="text-muted">{text}</p>
        {reason === COMPUTING && (
          <>
            <Progress label="Computed parts" value={parts?.done} max={parts?.all} />
            {parts && <p className="text-sm text-muted">{`${parts.done} of ${parts.all} parts`}</p>}
          </>
        )}
      </div>
    </Panel>
  );
}

function textsOf(reason: string | null): { title: string; text: string } {
  if (reason === 'too_many_charts')
    return { title: 'Too many charts are being computed.', text: 'Wait for one of them to finish.' };
  if (reason === 'chart_failed')
    return { title: 'This chart could not be computed.', text: 'We will try again in 10 minutes.' };
  return {
    title: 'Computing this chart',
    text: 'This project is large, so it can take a few minutes. You can leave this page.',
  };
}
