import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { cx } from '../../ui/cx.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { Spinner } from '../../ui/progress.js';
import { wordsOf } from '../error-words.js';
import { type ExportRun, isRunning } from '../exports.queries.js';

/** The outcome of a run, or its progress, in a few words. */
export function LastRun({ run }: { run: ExportRun | null }) {
  if (run === null) return <span className="text-muted">Never</span>;
  if (run.state === 'queued') return <Line spins>Waiting to start</Line>;
  if (isRunning(run))
    return (
      <Line spins>
        Running, <Rows count={run.rows} /> so far
      </Line>
    );
  if (run.state === 'failed')
    return (
      <Line icon="error" tone="text-bad">
        Failed: {wordsOf(run.error?.code ?? 'internal')}
      </Line>
    );
  if (run.state === 'canceled')
    return (
      <Line icon="ban" tone="text-muted">
        Canceled <Time ms={run.finished_at} />
      </Line>
    );
  return (
    <Line icon="success" tone="text-good">
      Delivered <Time ms={run.finished_at} />, <Rows count={run.rows} />
    </Line>
  );
}

function Rows({ count }: { count: number }) {
  return (
    <>
      <Num value={count} /> {count === 1 ? 'row' : 'rows'}
    </>
  );
}

interface LineProps {
  icon?: IconName;
  tone?: string;
  spins?: boolean;
  children: React.ReactNode;
}

function Line({ icon, tone, spins, children }: LineProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {spins && <Spinner className="size-3.5!" />}
      {icon && <Icon name={icon} className={cx('size-3.5!', tone)} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
