import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Panel } from '../../ui/panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useDeleteOrganization } from '../organizations.queries.js';

export function DeleteOrganizationPanel({ organization }: { organization: Organization }) {
  const { id: orgId, project_count: projects } = organization;
  const remove = useDeleteOrganization(orgId);
  const may = useOrganizationMay('owner');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const name = visibleText(organization.name);
  const leave = async () => {
    await navigate({ to: '/organizations', ignoreBlocker: true });
    queries.removeQueries({ queryKey: organizationKey(orgId) });
  };
  return (
    <Panel
      beside
      title="Delete organization"
      description="Move its projects out first. Accounts of its members stay."
    >
      <Button
        variant="danger"
        icon="trash"
        disabledReason={
          may.reason ??
          (projects > 0
            ? projects === 1
              ? 'One project must be moved out first.'
              : `${projects} projects must be moved out first.`
            : null)
        }
        onClick={() => setIsOpen(true)}
      >
        Delete organization
      </Button>
      {isOpen && (
        <ConfirmCall
          danger
          title={`Delete ${name}?`}
          effect="Its single sign-on, domains, provisioning tokens, custom roles, group mappings and audit log are permanently deleted."
          typed={organization.name}
          confirmLabel="Delete organization"
          write={remove}
          input={undefined}
          done={`Deleted ${name}`}
          call={{ operation: 'DELETE /v2/organizations/{org_id}', path: { org_id: orgId } }}
          onClose={() => setIsOpen(false)}
          onDone={leave}
        />
      )}
    </Panel>
  );
}
