import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { InviteDialog } from './invite-dialog.js';
import { InvitesPanel } from './invites-panel.js';
import { MembersPanel } from './members-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/members');

export default function MembersPage() {
  const { projectId } = route.useParams();
  const mayInvite = useMay('createInvite');
  const [isInviting, setIsInviting] = useState(false);
  const inviteButton = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayInvite.reason}
      onClick={() => setIsInviting(true)}
    >
      Invite people
    </Button>
  );
  return (
    <Page title="Members" actions={inviteButton} inTurn>
      <MembersPanel projectId={projectId} />
      <InvitesPanel projectId={projectId} />
      {isInviting && <InviteDialog projectId={projectId} onClose={() => setIsInviting(false)} />}
    </Page>
  );
}
