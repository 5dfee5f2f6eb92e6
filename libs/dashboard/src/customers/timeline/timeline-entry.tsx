import { getRouteApi } from '@tanstack/react-router';
import { useId } from 'react';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatClock, formatDate } from '../../ui/format/format-time.js';
import { Icon } from '../../ui/icons.js';
import { Money } from '../../ui/format/money.js';
import { toneText } from '../../ui/tone.js';
import type { TimelineEvent } from './days-of-events.js';
import { useProductNames } from '../purchases/use-bought.js';
import { describeEvent, withNames } from './describe-event.js';
import { SandboxMark, timelineIcons } from './timeline-marks.js';
import { TimelineEventDetail } from './timeline-event-detail.js';

const route = getRouteApi('/signed-in/projects/$projectId/customer');

/** An event that expands to its details. */
export function TimelineEntry({ event }: { event: TimelineEvent }) {
  const { event: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const format = useFormat();
  const panelId = useId();
  const { sentence, tone, money } = describeEvent(
    event.type,
    withNames(event.body, useProductNames()),
    (ms) => formatDate(format, ms),
  );
  const isOpen = openId === event.id;
  const isSandbox = (event.body as { environment?: unknown }).environment === 'SANDBOX';
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() =>
          void navigate({
            search: (before) => ({ ...before, event: isOpen ? undefined : event.id }),
            replace: true,
            resetScroll: false,
          })
        }
        className="flex min-h-9 w-full items-start gap-2.5 px-4 py-2 text-start outline-offset-[-2px]! hover:bg-hover pointer-coarse:min-h-11"
      >
        <time
          dateTime={new Date(event.occurred_at).toISOString()}
          className="w-16 shrink-0 whitespace-nowrap text-muted tabular-nums"
        >
          {formatClock(format, event.occurred_at)}
        </time>
        <Icon name={timelineIcons[tone]} className={`mt-0.5 ${toneText[tone]}`} />
        <span className="min-w-0 flex-1">
          <DataText>{sentence}</DataText>
          {isSandbox && <SandboxMark />}
        </span>
        {money && <Money amount={money.amount} currency={money.currency} />}
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} className="mt-0.5 text-muted" />
      </button>
      {isOpen && (
        <div id={panelId} className="border-y border-line bg-bg px-4 py-3">
          <TimelineEventDetail event={event} />
        </div>
      )}
    </li>
  );
}
