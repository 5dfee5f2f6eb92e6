import type { SsoConnection } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateConnection } from './sso.queries.js';

/** Enables or disables a connection. */
export function SwitchPanel({ orgId, connection }: { orgId: string; connection: SsoConnection }) {
  const { id, enabled } = connection;
  const update = useUpdateConnection(orgId, id);
  const toast = useToast();
  const body = { enabled: !enabled };
  return (
    <Panel
      title="4. Turn it on"
      description="People of your verified domains are then offered single sign-on. Passwords work, too."
    >
      <div className="grid grid-cols-1 gap-3">
        <FormError error={update.error?.message} />
        <FormActions>
          <Button
            variant={enabled ? undefined : 'primary'}
            busy={update.isPending}
            onClick={() =>
              update.mutate(body, {
                onSuccess: (saved) =>
                  toast({
                    title: saved.enabled ? 'The connection is on' : 'The connection is off',
                    tone: 'good',
                  }),
              })
            }
          >
            {enabled ? 'Turn off' : 'Turn on'}
          </Button>
          <ShowCall
            operation="POST /v2/organizations/{org_id}/sso/connections/{connection_id}"
            path={{ org_id: orgId, connection_id: id }}
            body={body}
          />
        </FormActions>
      </div>
    </Panel>
  );
}
