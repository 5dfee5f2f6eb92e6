import { FormDialog } from '../../frame/forms/form-dialog.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateToken } from './scim.queries.js';

/** Creates a token and shows it once. */
export function CreateTokenDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const create = useCreateToken(orgId);
  const fields = useFields({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    error: create.error,
    busy: create.isPending,
    onSubmit: (body) => create.mutate(body),
  });
  if (create.data)
    return (
      <SecretOnceDialog
        title="Copy the token now"
        note="It is shown this once. Only its beginning is kept here."
        label="Token"
        secret={create.data.token}
        onClose={onClose}
      >
        <CodeBlock label="Base address (tenant URL)" code={create.data.base_url} copy />
      </SecretOnceDialog>
    );
  return (
    <FormDialog
      title="New token"
      fields={fields}
      submit="New token"
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/organizations/{org_id}/scim/tokens',
        path: { org_id: orgId },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where it is used, for example “Okta”."
        autoComplete="off"
        {...fields.field('name')}
      />
    </FormDialog>
  );
}
