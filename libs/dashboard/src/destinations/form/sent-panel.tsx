import { Fragment } from 'react';
import { Panel } from '../../ui/panel.js';
import type { DestinationType } from '../destinations.queries.js';
import { requiredIdsNote, whatIsSent } from './what-is-sent.js';

/** Describes the data that the tool receives, beside the form. */
export function SentPanel({ type }: { type: DestinationType }) {
  const note = requiredIdsNote(type);
  return (
    <Panel title="What is sent">
      <dl className="flex flex-col">
        {whatIsSent(type).map(([label, text]) => (
          <Fragment key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="mb-2.5 break-words">{text}</dd>
          </Fragment>
        ))}
      </dl>
      {note !== null && <p className="border-t border-line pt-2.5">{note}</p>}
      <p className="mt-2.5 text-sm text-muted">
        {`Deleting a customer here does not delete anything ${type.category === 'http' ? 'at this address' : `in ${type.name}`}.`}
      </p>
    </Panel>
  );
}
