import type { Schema } from '../../api/types.js';
import { Badge } from '../../ui/badge.js';
import { BodyView } from '../../ui/text/body-view.js';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDuration } from '../../ui/format/period.js';
import { Time } from '../../ui/format/time.js';
import { HeaderList } from './header-list.js';

type LoggedAttempt = Pick<
  Schema<'WebhookAttemptDto'>,
  'at' | 'status' | 'ms' | 'error' | 'response_body' | 'response_headers'
>;

/** Each attempt with its response. */
export function DeliveryAttempts({ log, attempts }: { log: readonly LoggedAttempt[]; attempts: number }) {
  if (log.length === 0) return <p className="text-muted">No attempt has been made yet.</p>;
  return (
    <div className="flex flex-col gap-3">
      {attempts > log.length && <p className="text-sm text-muted">The ten newest attempts, newest first.</p>}
      <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
        {log.map((attempt, index) => (
          <li key={attempts - index}>
            <Attempt attempt={attempt} number={attempts - index} isOpen={index === 0} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface AttemptProps {
  attempt: LoggedAttempt;
  number: number;
  isOpen: boolean;
}

const KEPT_CHARACTERS = 4096;

function Attempt({ attempt, number, isOpen }: AttemptProps) {
  const { locale } = useFormat();
  const { at, status, ms, error, response_body: body, response_headers: headers } = attempt;
  return (
    <details open={isOpen} className="group">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <span className="font-medium">{`Attempt ${number}`}</span>
        <Badge tone={status !== null && status >= 200 && status < 300 ? 'good' : 'bad'}>
          {status ?? 'No response'}
        </Badge>
        <span className="text-muted tabular-nums">{formatDuration(locale, ms)}</span>
        <span className="ms-auto text-muted">
          <Time ms={at} />
        </span>
      </summary>
      <div className="flex flex-col gap-3 px-3 pb-3">
        {error !== null && <DataText className="text-bad">{error}</DataText>}
        {body === null ? (
          <p className="text-sm text-muted">No response was received.</p>
        ) : body === '' ? (
          <p className="text-sm text-muted">The response had no body.</p>
        ) : (
          <section>
            <h3 className="mb-1 text-sm font-medium">Response</h3>
            <BodyView label={`Response ${number}`} body={body} />
            {body.length >= KEPT_CHARACTERS && (
              <p className="mt-1 text-sm text-muted">Only the first 4,096 characters are kept.</p>
            )}
          </section>
        )}
        {headers && Object.keys(headers).length > 0 && (
          <section>
            <h3 className="mb-1 text-sm font-medium">Response headers</h3>
            <HeaderList headers={headers} />
          </section>
        )}
      </div>
    </details>
  );
}
