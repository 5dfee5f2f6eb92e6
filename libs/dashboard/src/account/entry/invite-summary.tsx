import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import type { ShownInvite } from './entry.queries.js';

const roles = { admin: 'Admin', developer: 'Developer', viewer: 'Viewer' } as const;

/** Summary of an invitation. */
export function InviteSummary({ invite }: { invite: ShownInvite }) {
  const { project, invited_by: by, email, role, expires_at: expiresAt } = invite;
  return (
    <div className="flex flex-col gap-4">
      <p>
        <DataText>{`${by.name ?? by.email ?? 'A member'} invites you to the project`}</DataText>{' '}
        <strong>
          <DataText>{project.name}</DataText>
        </strong>
        .
      </p>
      <KeyValues
        items={[
          ['Invited address', <DataText key="email">{email}</DataText>],
          ['Role', roles[role]],
          ['Valid until', <Time key="ends" ms={expiresAt} show="full" />],
        ]}
      />
    </div>
  );
}
