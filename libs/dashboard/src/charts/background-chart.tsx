import { useState } from 'react';
import type { CallError } from '../api/call-error.js';
import { type Loaded, useAfter } from '../ui/loading/loaded.js';
import { Panel } from '../ui/panel.js';
import { Progress } from '../ui/progress.js';
import { COMPUTING, isInBackground, partsOf } from './background-answers.js';

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
    <Panel>
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
