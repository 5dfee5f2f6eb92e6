import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { fieldsOf, newProvider, providerBody, type ProviderFields } from './provider-body.js';
import { type Provider, useCreateProvider, useUpdateProvider } from './sign-in.queries.js';
import { text } from './sign-in.text.js';

interface ProviderDialogProps {
  projectId: string;
  /** Null creates a new one. */
  provider: Provider | null;
  onClose: () => void;
}

const kinds = ['firebase', 'oidc'] as const;

function problems({ kind, firebase_project_id: project, issuer, audiences }: ProviderFields) {
  const missing = (value: string) => (value.trim() === '' ? text.missing : null);
  if (kind === 'firebase') return { firebase_project_id: missing(project) };
  return { issuer: missing(issuer), audiences: missing(audiences) };
}

/** Adds or edits a provider; its kind cannot change. */
export function ProviderDialog({ projectId, provider, onClose }: ProviderDialogProps) {
  const create = useCreateProvider(projectId);
  const update = useUpdateProvider(projectId, provider?.id ?? '');
  const write = provider ? update : create;
  const fields = useFields({
    initial: provider ? fieldsOf(provider) : newProvider,
    check: problems,
    error: write.error,
    busy: write.isPending,
    onSubmit: (values) => {
      const body = providerBody(values);
      const done = { onSuccess: onClose };
      if (provider) update.mutate(body, done);
      else create.mutate({ ...body, kind: values.kind as Provider['kind'] }, done);
    },
  });
  const { values, field, set } = fields;
  return (
    <FormDialog
      title={provider ? text.editTitle(visibleText(provider.name)) : text.add}
      fields={fields}
      submit={provider ? text.save : text.add}
      busy={write.isPending}
      error={write.error}
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
          label={text.kind}
          columns={2}
          options={kinds.map((value) => ({ value, ...text.kinds[value] }))}
          value={values.kind as Provider['kind']}
          onChange={(kind) => set('kind', kind)}
        />
      )}
      <TextField label={text.name} hint={text.nameHint} optional autoComplete="off" {...field('name')} />
      {values.kind === 'firebase' ? (
        <TextField label={text.firebaseProject} mono {...field('firebase_project_id')} />
      ) : (
        <>
          <TextField label={text.issuer} hint={text.issuerHint} mono {...field('issuer')} />
          <TextField label={text.audiences} hint={text.audiencesHint} mono {...field('audiences')} />
          <TextField label={text.keys} hint={text.keysHint} optional mono {...field('jwks_url')} />
        </>
      )}
      <TextField label={text.claim} hint={text.claimHint} mono {...field('app_user_id_claim')} />
      <TextField label={text.prefix} optional mono {...field('app_user_id_prefix')} />
      <Checkbox
        label={text.isEnabled}
        checked={values.enabled !== ''}
        onChange={({ target }) => set('enabled', target.checked ? 'yes' : '')}
      />
    </FormDialog>
  );
}
