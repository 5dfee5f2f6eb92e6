import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useDeleteOrganization } from '../organizations.queries.js';
import { text } from './settings.text.js';

export function DeleteOrganizationPanel({ organization }: { organization: Organization }) {
  const { id: orgId, project_count: projects } = organization;
  const remove = useDeleteOrganization(orgId);
  const may = useOrganizationMay('owner');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const name = visibleText(organization.name);
  const leave = async () => {
    await navigate({ to: '/organizations', ignoreBlocker: true });
    queries.removeQueries({ queryKey: organizationKey(orgId) });
    toast({ title: text.deleted(name) });
  };
  return (
    <Panel title={text.delete} description={text.deleteNote}>
      <Button
        variant="danger"
        icon="trash"
        disabledReason={may.reason ?? (projects > 0 ? text.hasProjects(projects) : null)}
        onClick={() => setIsOpen(true)}
      >
        {text.delete}
      </Button>
      <ConfirmDialog
        open={isOpen}
        danger
        title={text.deleteTitle(name)}
        typed={organization.name}
        confirmLabel={text.delete}
        busy={remove.isPending || remove.isSuccess}
        error={remove.error?.message}
        onClose={() => setIsOpen(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void leave() })}
      >
        <p className="mb-3">{text.deleteEffect}</p>
        <ShowCall operation="DELETE /v2/organizations/{org_id}" path={{ org_id: orgId }} />
      </ConfirmDialog>
    </Panel>
  );
}
