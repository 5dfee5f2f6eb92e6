import { useNow } from '../ui/format/format-context.js';
import { countdownTo } from './countdown.js';
import { isOpen, type RefundRequest } from './requests.queries.js';

/** The time left to answer a request; nothing if it needs no answer any more. */
export function AnswerBy({ request }: { request: RefundRequest }) {
  const now = useNow();
  if (!isOpen(request)) return <span className="text-muted">—</span>;
  const { text, isSoon } = countdownTo(request.deadline_at, now);
  return (
    <time
      dateTime={new Date(request.deadline_at).toISOString()}
      className={isSoon ? 'font-medium whitespace-nowrap text-warn' : 'whitespace-nowrap'}
    >
      {text}
    </time>
  );
}
