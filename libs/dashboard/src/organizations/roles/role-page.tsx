import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { CustomRole } from '../../api/enterprise.types.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { Page } from '../../frame/pages/page.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { DeleteRoleDialog } from './delete-role-dialog.js';
import { HoldersPanel } from './holders-panel.js';
import { RoleFields } from './role-fields.js';
import { roleQuery, scopesQuery, useUpdateRole } from './roles.queries.js';
import { useRoleForm } from './use-role-form.js';

const route = getRouteApi('/signed-in/organizations/$orgId/roles/$roleId');

function RolePanel({ orgId, role }: { orgId: string; role: CustomRole }) {
  const update = useUpdateRole(orgId, role.id);
  const toast = useToast();
  const form = useRoleForm({
    role,
    write: update,
    onSubmit: (body) =>
      update.mutate(body, {
        onSuccess: () =>
          toast({ title: 'Saved. Applies from the next request of each person.', tone: 'good' }),
      }),
  });
  useDirtyForm(form.isDirty);
  return (
    <Panel>
      <form {...form.formProps} className="ui-in-turn grid max-w-xl gap-4">
        <RoleFields orgId={orgId} form={form} />
        <FormError error={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending}>
            Save
          </Button>
          <ShowCall
            operation="POST /v2/organizations/{org_id}/roles/{role_id}"
            path={{ org_id: orgId, role_id: role.id }}
            body={form.body}
          />
        </FormActions>
      </form>
    </Panel>
  );
}

export default function RolePage() {
  const { orgId, roleId } = route.useParams();
  const role = useQuery(roleQuery(orgId, roleId));
  const { isPending: isGridPending } = useQuery(scopesQuery(orgId));
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Page
      title={role.data?.name ?? 'Roles'}
      id={roleId}
      actions={
        role.data && (
          <Button variant="danger" icon="trash" onClick={() => setIsDeleting(true)}>
            Delete role
          </Button>
        )
      }
    >
      <QueryPanel query={role} queryKey={roleQuery(orgId, roleId).queryKey}>
        {(saved) => (
          // A form starts with the saved values, so saving resets it.
          <div className="grid grid-cols-1 gap-4">
            <RolePanel
              key={JSON.stringify([saved.name, saved.description, saved.scopes, saved.project_id])}
              orgId={orgId}
              role={saved}
            />
            {!isGridPending && <HoldersPanel orgId={orgId} role={saved} />}
            {isDeleting && (
              <DeleteRoleDialog orgId={orgId} role={saved} onClose={() => setIsDeleting(false)} />
            )}
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}
