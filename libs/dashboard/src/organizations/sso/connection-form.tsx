import { type ReactNode, useState } from 'react';
import type { SsoConnection, SsoConnectionBody } from '../../api/enterprise.types.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateConnection } from './sso.queries.js';

interface ConnectionFormProps<Name extends string> {
  orgId: string;
  connection: SsoConnection;
  /** The settings of its kind, as strings. */
  initial: Record<Name, string>;
  /** Builds `saml` or `oidc` of the body. */
  settingsOf: (values: Record<Name, string>) => SsoConnectionBody;
  isMoreDirty?: boolean;
  children: (fields: ReturnType<typeof useFields<Name | 'name'>>) => ReactNode;
}

/** The second step: the provider's values, for both kinds. */
export function ConnectionForm<Name extends string>(props: ConnectionFormProps<Name>) {
  const { orgId, connection, initial, settingsOf, isMoreDirty = false, children } = props;
  const update = useUpdateConnection(orgId, connection.id);
  const toast = useToast();
  const [jit, setJit] = useState(connection.jit);
  const bodyOf = (values: Record<Name | 'name', string>): SsoConnectionBody => ({
    ...(values.name === connection.name ? {} : { name: values.name.trim() }),
    ...(jit === connection.jit ? {} : { jit }),
    ...settingsOf(values),
  });
  const fields = useFields<Name | 'name'>({
    initial: { ...initial, name: connection.name },
    error: update.error,
    within: connection.kind,
    busy: update.isPending,
    onSubmit: (values) =>
      update.mutate(bodyOf(values), { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) }),
  });
  const isDirty = fields.isDirty || isMoreDirty || jit !== connection.jit;
  useDirtyForm(isDirty);
  return (
    <Panel title="2. Enter what your identity provider gives you">
      <form {...fields.form} className="grid max-w-2xl gap-4">
        {children(fields)}
        <TextField label="Name" autoComplete="off" {...fields.field('name')} />
        <Checkbox
          label="Make an account for who signs in for the first time"
          hint="Without this, only people who are members already can sign in."
          checked={jit}
          onChange={({ target }) => setJit(target.checked)}
        />
        <FormError error={fields.problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending}>
            Save
          </Button>
          <ShowCall
            operation="POST /v2/organizations/{org_id}/sso/connections/{connection_id}"
            path={{ org_id: orgId, connection_id: connection.id }}
            body={bodyOf(fields.values)}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
