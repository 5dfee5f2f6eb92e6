/** Texts of the sign-in page. It is often the first page, so it loads no others. */
export const text = {
  email: 'Email address',
  password: 'Password',
  missingEmail: 'Enter your email.',
  wrongEmail: 'Enter a complete email, such as you@example.com.',
  missingPassword: 'Enter your password.',
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  noAccount: 'No account yet?',
  createAccount: 'Create one',
  closed: 'No account? Ask an admin of your project for an invitation.',
  firstAccount: 'This server has no account yet.',
  setUp: 'Set up this server',
  codeTitle: 'Two-factor authentication',
} as const;
