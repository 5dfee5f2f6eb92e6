import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateConnection } from './sso.queries.js';
import { kindLabels } from './labels.js';

const ssoKindHints = {
  saml: 'You exchange addresses and certificates, mostly as a metadata file.',
  oidc: 'You register a client at the provider, and enter its id and secret here.',
};

const kinds = ['saml', 'oidc'] as const;
type Kind = (typeof kinds)[number];

/** The first step: the provider's protocol. The connection's page has the rest. */
export function CreateConnectionDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const create = useCreateConnection(orgId);
  const navigate = useNavigate();
  const bodyOf = ({ name, kind }: { name: string; kind: string }) => ({
    kind: kind as Kind,
    name: name.trim(),
    ...(kind === 'saml' ? { saml: {} } : { oidc: {} }),
  });
  const form = useForm({
    initial: { name: '', kind: 'saml' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Give the connection a name.' : null }),
    write: create,
    onSubmit: (values) =>
      create.mutate(bodyOf(values), {
        onSuccess: ({ id }) => {
          onClose();
          void navigate({
            to: '/organizations/$orgId/sso/$connectionId',
            params: { orgId, connectionId: id },
          });
        },
      }),
  });
  return (
    <FormDialog
      title="New connection"
      effect="It is off until it is set up. The protocol cannot be changed later."
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/organizations/{org_id}/sso/connections',
        path: { org_id: orgId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <RadioCards<Kind>
        label="Protocol"
        options={kinds.map((value) => ({ value, label: kindLabels[value], hint: ssoKindHints[value] }))}
        value={form.values.kind as Kind}
        onChange={(kind) => form.set('kind', kind)}
      />
      <TextField
        label="Name"
        hint="For example “Okta”. Not shown to members."
        autoComplete="off"
        {...form.field('name')}
      />
    </FormDialog>
  );
}
