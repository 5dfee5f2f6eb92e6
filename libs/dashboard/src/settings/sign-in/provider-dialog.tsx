import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { fieldsOf, newProvider, providerBody, type ProviderFields } from './provider-body.js';
import { type Provider, useCreateProvider, useUpdateProvider } from './sign-in.queries.js';

const kindLabels = {
  firebase: { label: 'Firebase', hint: 'Firebase Authentication, by the id of its project.' },
  oidc: { label: 'OpenID Connect', hint: 'Auth0, Cognito, Keycloak, or your own.' },
};

interface ProviderDialogProps {
  projectId: string;
  /** Null creates a new one. */
  provider: Provider | null;
  onClose: () => void;
}

const kinds = ['firebase', 'oidc'] as const;

function problems({ kind, firebase_project_id: project, issuer, audiences }: ProviderFields) {
  const missing = (value: string) => (value.trim() === '' ? 'Fill in this field.' : null);
  if (kind === 'firebase') return { firebase_project_id: missing(project) };
  return { issuer: missing(issuer), audiences: missing(audiences) };
}

/** Adds or edits a provider; its kind cannot change. */
export function ProviderDialog({ projectId, provider, onClose }: ProviderDialogProps) {
  const create = useCreateProvider(projectId);
  const update = useUpdateProvider(projectId, provider?.id ?? '');
  const write = provider ? update : create;
  const form = useForm({
    initial: provider ? fieldsOf(provider) : newProvider,
    check: problems,
    write: write,
    onSubmit: (values) => {
      const body = providerBody(values);
      const done = { onSuccess: onClose };
      if (provider) update.mutate(body, done);
      else create.mutate({ ...body, kind: values.kind }, done);
    },
  });
  const { values, field } = form;
  return (
    <FormDialog
      title={provider ? `Edit ${visibleText(provider.name)}` : 'Add a provider'}
      form={form}
      submit={provider ? 'Save' : 'Add a provider'}
      call={{
        operation: provider
          ? 'POST /v2/projects/{project_id}/auth/providers/{provider_id}'
          : 'POST /v2/projects/{project_id}/auth/providers',
        path: { project_id: projectId, ...(provider && { provider_id: provider.id }) },
        body: provider ? providerBody(values) : { kind: values.kind, ...providerBody(values) },
      }}
      onClose={onClose}
    >
      {!provider && (
        <RadioCards
          label="Provider"
          columns={2}
          options={kinds.map((value) => ({ value, ...kindLabels[value] }))}
          {...form.control('kind')}
        />
      )}
      <TextField
        label="Name"
        hint="Generated if left empty."
        optional
        autoComplete="off"
        {...field('name')}
      />
      {values.kind === 'firebase' ? (
        <TextField label="Firebase project id" mono {...field('firebase_project_id')} />
      ) : (
        <>
          <TextField
            label="Issuer"
            hint="Exactly as in the ID tokens, with its trailing slash if it has one."
            mono
            {...field('issuer')}
          />
          <TextField
            label="Audiences"
            hint="Client ids of your apps, separated by commas."
            mono
            {...field('audiences')}
          />
          <TextField
            label="Address of the keys"
            hint="Read from the discovery document of the issuer if left empty."
            optional
            mono
            {...field('jwks_url')}
          />
        </>
      )}
      <TextField
        label="Claim of the app user id"
        hint="Customers who signed in before keep their id."
        mono
        {...field('app_user_id_claim')}
      />
      <TextField label="Prefix of the app user id" optional mono {...field('app_user_id_prefix')} />
      <Checkbox label="Customers can sign in with it" {...form.checkbox('enabled')} />
    </FormDialog>
  );
}
