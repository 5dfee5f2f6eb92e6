import type { ReactNode } from 'react';
import type { SsoConnection, SsoConnectionBody } from '../../api/enterprise.types.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { type Form, useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import type { OidcValues } from './oidc-panel.js';
import type { SamlValues } from './saml-body.js';
import { useUpdateConnection } from './sso.queries.js';

/** Values of a connection, with the settings of its kind. */
interface ConnectionValues {
  name: string;
  jit: boolean;
  saml?: SamlValues;
  oidc?: OidcValues;
}

interface ConnectionFormProps {
  orgId: string;
  connection: SsoConnection;
  initial: Pick<ConnectionValues, 'saml' | 'oidc'>;
  /** Builds `saml` or `oidc` of the body. */
  settingsOf: (values: ConnectionValues) => SsoConnectionBody;
  children: (form: Form<ConnectionValues>) => ReactNode;
}

/** The second step: the provider's values, for both kinds. */
export function ConnectionForm(props: ConnectionFormProps) {
  const { orgId, connection, initial, settingsOf, children } = props;
  const update = useUpdateConnection(orgId, connection.id);
  const toast = useToast();
  const bodyOf = (values: ConnectionValues): SsoConnectionBody => ({
    ...(values.name === connection.name ? {} : { name: values.name.trim() }),
    ...(values.jit === connection.jit ? {} : { jit: values.jit }),
    ...settingsOf(values),
  });
  const form = useForm<ConnectionValues>({
    initial: { ...initial, name: connection.name, jit: connection.jit },
    write: update,
    onSubmit: (values) =>
      update.mutate(bodyOf(values), { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) }),
  });
  useDirtyForm(form.isDirty);
  return (
    <Panel title="2. Enter what your identity provider gives you">
      <form {...form.formProps} className="grid max-w-2xl gap-4">
        {children(form)}
        <TextField label="Name" autoComplete="off" {...form.field('name')} />
        <Checkbox
          label="Create an account at the first sign-in"
          hint="When this is off, only existing members can sign in."
          {...form.checkbox('jit')}
        />
        <FormError error={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending}>
            Save
          </Button>
          <ShowCall
            operation="POST /v2/organizations/{org_id}/sso/connections/{connection_id}"
            path={{ org_id: orgId, connection_id: connection.id }}
            body={bodyOf(form.values)}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
