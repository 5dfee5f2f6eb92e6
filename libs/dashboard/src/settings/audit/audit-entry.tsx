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

const actorLabels = { api_key: 'API key', oauth_client: 'Connected client', scim: 'Provisioning' };

export function ActorText({ entry }: { entry: AuditEntry }) {
  const { actor_type: type, actor_identifier: id } = entry;
  if (type === 'system') return 'Server';
  return (
    <>
      {type !== 'user' && <span className="text-muted">{actorLabels[type]} </span>}
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
          ['Occurred', <Time key="time" ms={entry.occurred_at} show="full" />],
          ['By', <ActorText key="actor" entry={entry} />],
          ['Object', <TargetText key="target" entry={entry} projectId={projectId} />],
          ['Entry', <CopyId key="id" id={entry.id} />],
        ]}
      />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      <JsonView label="Detail" value={entry.additional_data} />
    </div>
  );
}
