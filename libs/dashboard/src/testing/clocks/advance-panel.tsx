import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../api/permissions.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { Progress } from '../../ui/progress.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type TestClock, useAdvanceClock } from './test-clocks.queries.js';
import { watchAdvance } from './watch-advance.js';

const DAY_MS = 24 * 60 * 60_000;

/** Returns the same time a month later in UTC, or the end of a shorter month. */
function monthAfter(ms: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** The clock's time, and controls to advance it. */
export function AdvancePanel({ clock, projectId }: { clock: TestClock; projectId: string }) {
  const queries = useQueryClient();
  const advance = useAdvanceClock(
    projectId,
    clock.id,
    (begun) => void watchAdvance(queries, projectId, begun),
  );
  const may = useMay('advanceTestClock');
  const { frozen_time: now, status, target_time: target, progress, error, period_ends_at: periodEnd } = clock;
  const isAdvancing = status === 'advancing' || advance.isPending;
  const to = (ms: number) => advance.mutate({ frozen_time: ms });
  const form = useForm<{ frozen_time: number | null }>({
    initial: { frozen_time: null },
    check: ({ frozen_time: ms }) => ({ frozen_time: ms === null ? 'Enter a date and time.' : null }),
    write: { error: advance.error, isPending: isAdvancing },
    // The buttons above send the same field.
    paramOf: () => null,
    onSubmit: ({ frozen_time: ms }) => {
      if (ms !== null && may.allowed) to(ms);
    },
  });
  const steps = [
    ['+ 1 day', now + DAY_MS],
    ['+ 1 week', now + 7 * DAY_MS],
    ['+ 1 month', monthAfter(now)],
  ] as const;
  return (
    <Panel title="Time of the clock">
      <div className="grid grid-cols-1 gap-4">
        <div className="grid gap-1">
          <p className="text-lg font-semibold sm:text-2xl tabular-nums">
            <Time ms={now} show="full" />
          </p>
          {periodEnd !== null && (
            <p className="text-sm text-muted">
              Next renewal: <Time ms={periodEnd} show="full" />
            </p>
          )}
        </div>
        {status === 'advancing' && target !== null && (
          <div className="grid max-w-md gap-1.5">
            <Progress label="Advancing" value={Math.round((progress ?? 0) * 100)} max={100} />
            <p className="text-sm text-muted">
              Advancing to <Time ms={target} show="full" />
            </p>
          </div>
        )}
        {status === 'failed' && (
          <div className="grid gap-2">
            <FormError error={`The clock stopped before its target. ${visibleText(error ?? '')}`} />
            {target !== null && (
              <Button
                className="justify-self-start"
                icon="refresh"
                disabledReason={may.reason}
                onClick={() => to(target)}
              >
                Advance again
              </Button>
            )}
          </div>
        )}
        <FormError error={form.problem} />
        <div className="flex flex-wrap gap-2">
          {steps.map(([label, ms]) => (
            <Button key={label} busy={isAdvancing} disabledReason={may.reason} onClick={() => to(ms)}>
              {label}
            </Button>
          ))}
          <Button
            busy={isAdvancing}
            disabledReason={
              may.reason ??
              (periodEnd === null ? 'None of its customers has a running subscription.' : undefined)
            }
            onClick={() => periodEnd !== null && to(periodEnd)}
          >
            + 1 period
          </Button>
        </div>
        <form {...form.formProps} className="grid justify-items-start gap-2">
          <DateTimeField label="Advance to" {...form.control('frozen_time')} />
          <Button type="submit" variant="primary" busy={isAdvancing} disabledReason={may.reason}>
            Advance
          </Button>
        </form>
        <ShowCall
          operation="POST /v2/projects/{project_id}/test_clocks/{test_clock_id}/actions/advance"
          path={{ project_id: projectId, test_clock_id: clock.id }}
          body={{ frozen_time: form.values.frozen_time ?? now + DAY_MS }}
        />
      </div>
    </Panel>
  );
}
