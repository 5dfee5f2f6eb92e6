import type { SsoConnection } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateConnection } from './sso.queries.js';
import { text } from './sso.text.js';

/** Enables or disables a connection. */
export function SwitchPanel({ orgId, connection }: { orgId: string; connection: SsoConnection }) {
  const { id, enabled } = connection;
  const update = useUpdateConnection(orgId, id);
  const toast = useToast();
  const body = { enabled: !enabled };
  return (
    <Panel title={text.stepOn} description={text.stepOnNote}>
      <div className="grid grid-cols-1 gap-3">
        <FormError error={update.error?.message} />
        <FormActions>
          <Button
            variant={enabled ? undefined : 'primary'}
            busy={update.isPending}
            onClick={() =>
              update.mutate(body, {
                onSuccess: (saved) =>
                  toast({ title: saved.enabled ? text.turnedOn : text.turnedOff, tone: 'good' }),
              })
            }
          >
            {enabled ? text.turnOff : text.turnOn}
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
