/** Texts of the pages for people who have no project yet or want another one. */
export const text = {
  title: 'New project',
  sentence: 'A project holds the apps of one product with their customers, on all stores.',
  name: 'Name',
  missingName: 'Give the project a name.',
  create: 'Create the project',
  created: 'The project was created, but could not be opened.',

  noAccess: 'You are in no project',
  noAccessSentence: (email: string) =>
    `You are signed in as ${email}. Ask an admin of the project that you want to see to invite this address.`,
  orCreate: 'Or make a project of your own.',
  signOut: 'Sign out',
} as const;
