import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatClock } from '../../ui/format/format-time.js';
import { Icon } from '../../ui/icons.js';
import { Money } from '../../ui/format/money.js';
import { toneText } from '../../ui/tone.js';
import type { TimelineRecord } from './records-without-events.js';
import { SandboxMark, timelineIcons } from './timeline-marks.js';

/** A payment, refund or end of access without an event to expand. */
export function TimelineRecordEntry({ record }: { record: TimelineRecord }) {
  const format = useFormat();
  const { sentence, tone, money, occurred_at: at, environment, isImported } = record;
  return (
    <li className="flex min-h-9 items-start gap-2.5 px-4 py-2 pointer-coarse:min-h-11">
      <time
        dateTime={new Date(at).toISOString()}
        className="w-16 shrink-0 whitespace-nowrap text-muted tabular-nums"
      >
        {formatClock(format, at)}
      </time>
      <Icon name={timelineIcons[tone]} className={`mt-0.5 ${toneText[tone]}`} />
      <span className="min-w-0 flex-1">
        <DataText>{sentence}</DataText>
        {environment === 'sandbox' && <SandboxMark />}
        {isImported && <span className="ms-2 text-xs text-muted">imported</span>}
      </span>
      {money && <Money amount={money.amount} currency={money.currency} />}
    </li>
  );
}
