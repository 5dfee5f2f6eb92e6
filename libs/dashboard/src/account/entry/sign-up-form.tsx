import { useForm } from '../../frame/forms/use-form.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useSignUp } from './entry.queries.js';

interface SignUpFormProps {
  /** Token from the URL that the server printed. Only the first account needs it. */
  setupToken?: string | null;
  /** An account that joins a project by invitation does not get its own project. */
  invite?: { token: string; email: string };
  onDone: (projectId: string) => void;
}

const MIN_PASSWORD = 8;

/** Checks early, so that all fields report their errors at once. The server has the final say. */
function emailProblem(email: string): string | null {
  const address = email.trim();
  if (address === '') return 'Enter your email.';
  return /^[^\s@]+@[^\s@]+$/.test(address) ? null : 'Enter a complete email, such as you@example.com.';
}

function passwordProblem(password: string): string | null {
  if (password === '') return 'Choose a password.';
  return [...password.normalize('NFC')].length < MIN_PASSWORD ? 'Use at least 8 characters.' : null;
}

const bodyOf = (
  values: { email: string; password: string; name: string; project_name: string; setup_token: string },
  inviteToken: string | undefined,
) => ({
  email: values.email,
  password: values.password,
  name: values.name.trim() || undefined,
  ...(inviteToken === undefined
    ? {
        project_name: values.project_name.trim() || undefined,
        setup_token: values.setup_token.trim() || undefined,
      }
    : { invite_token: inviteToken }),
});

export function SignUpForm({ setupToken, invite, onDone }: SignUpFormProps) {
  const signUp = useSignUp(({ project_id: projectId }) => onDone(projectId));
  const isTokenNeeded = signUp.error?.reason === 'setup_token_required';
  const { formProps, field, problem, values } = useForm({
    initial: {
      email: invite?.email ?? '',
      password: '',
      name: '',
      project_name: '',
      setup_token: setupToken ?? '',
    },
    check: ({ email, password }) => ({ email: emailProblem(email), password: passwordProblem(password) }),
    write: signUp,
    onSubmit: (given) => signUp.mutate(bodyOf(given, invite?.token)),
  });
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <TextField
        {...field('email')}
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="username"
        readOnly={invite !== undefined}
      />
      <SecretField
        {...field('password')}
        label="Password"
        hint="At least 8 characters."
        autoComplete="new-password"
      />
      <TextField {...field('name')} label="Your name" optional autoComplete="name" />
      {!invite && (
        <TextField
          {...field('project_name')}
          label="Project name"
          placeholder="My project"
          optional
          autoComplete="organization"
        />
      )}
      {isTokenNeeded || (!setupToken && values.setup_token !== '') ? (
        <SecretField
          {...field('setup_token')}
          label="Setup token"
          hint="The server printed it when it started, after “Setup token:”."
        />
      ) : null}
      <FormError error={problem} />
      <Button type="submit" variant="primary" busy={signUp.isPending} className="w-full">
        {setupToken ? 'Set up this server' : 'Create account'}
      </Button>
      <ShowCall operation="POST /auth/signup" body={bodyOf(values, invite?.token)} />
    </form>
  );
}
