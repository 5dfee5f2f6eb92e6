export const ssoText = {
  offered: 'Your organization signs in with single sign-on.',
  required: 'Your organization requires single sign-on.',
  goOn: 'Continue with single sign-on',
  password: 'Use a password',
} as const;
