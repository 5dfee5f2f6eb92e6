import { FormDialog } from '../../frame/forms/form-dialog.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateToken } from './scim.queries.js';

/** Creates a token and shows it once. */
export function CreateTokenDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const create = useCreateToken(orgId);
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    write: create,
    onSubmit: (body) => create.mutate(body),
  });
  if (create.data)
    return (
      <SecretOnceDialog
        title="Copy the token now"
        note="It is shown only once. Only its first characters are stored."
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
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/organizations/{org_id}/scim/tokens',
        path: { org_id: orgId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where it is used, for example “Okta”."
        autoComplete="off"
        {...form.field('name')}
      />
    </FormDialog>
  );
}
