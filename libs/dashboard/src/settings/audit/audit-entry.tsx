import { auditChangesIn } from '../../api/audit-changes.js';
import { AppLink } from '../../ui/app-link.js';
import { ChangeTable } from '../../ui/change-table.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { JsonView } from '../../ui/text/json-view.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import { pageOfTarget } from './audit-words.js';
import type { AuditEntry } from './audit.queries.js';
import { text } from './audit.text.js';

export function ActorText({ entry }: { entry: AuditEntry }) {
  const { actor_type: type, actor_identifier: id } = entry;
  if (type === 'system') return text.actors.system;
  return (
    <>
      {type !== 'user' && <span className="text-muted">{text.actors[type]} </span>}
      <DataText>{id}</DataText>
    </>
  );
}

function TargetText({ entry, projectId }: { entry: AuditEntry; projectId: string }) {
  const page = pageOfTarget({
    type: entry.target_type,
    id: entry.target_identifier,
    action: entry.action_type,
  });
  const id = <DataText mono>{entry.target_identifier}</DataText>;
  return page === null ? id : <AppLink href={`/projects/${projectId}${page}`}>{id}</AppLink>;
}

/** The details of an entry. */
export function AuditEntryDetail({ entry, projectId }: { entry: AuditEntry; projectId: string }) {
  const changes = auditChangesIn(entry.additional_data);
  return (
    <div className="grid gap-4 p-4">
      <KeyValues
        items={[
          [text.occurred, <Time key="time" ms={entry.occurred_at} show="full" />],
          [text.columns.actor, <ActorText key="actor" entry={entry} />],
          [text.columns.target, <TargetText key="target" entry={entry} projectId={projectId} />],
          [text.id, <CopyId key="id" id={entry.id} />],
        ]}
      />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      <JsonView label={text.detail} value={entry.additional_data} />
    </div>
  );
}
