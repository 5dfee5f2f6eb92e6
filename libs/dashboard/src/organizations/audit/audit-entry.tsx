import { auditChangesIn } from '../../api/audit-changes.js';
import { AppLink } from '../../ui/app-link.js';
import { ChangeTable } from '../../ui/change-table.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { JsonView } from '../../ui/text/json-view.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import type { OrganizationAuditEntry } from '../../api/enterprise.types.js';
import { pageOfTarget } from './action-words.js';

const actorLabels = { scim: 'Provisioning', sso: 'Single sign-on', system: 'Server' };

export function ActorText({ entry: { actor } }: { entry: OrganizationAuditEntry }) {
  const name = actor.email ?? actor.id;
  return (
    <>
      {actor.type !== 'user' && <span className="text-muted">{actorLabels[actor.type]} </span>}
      {actor.type !== 'system' && name !== null && <DataText>{name}</DataText>}
    </>
  );
}

/** The details of an entry. */
export function AuditEntryDetail({ entry, orgId }: { entry: OrganizationAuditEntry; orgId: string }) {
  const changes = auditChangesIn(entry.data);
  const page = pageOfTarget(entry.target, entry.action);
  const target = <DataText mono>{entry.target.id}</DataText>;
  return (
    <div className="grid gap-4 p-4">
      <KeyValues
        items={[
          ['Occurred', <Time key="time" ms={entry.occurred_at} show="full" />],
          ['By', <ActorText key="actor" entry={entry} />],
          [
            'Object',
            page === null ? target : <AppLink href={`/organizations/${orgId}${page}`}>{target}</AppLink>,
          ],
          ['Id', <CopyId key="id" id={entry.id} />],
        ]}
      />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      <JsonView label="Detail" value={entry.data} />
    </div>
  );
}
