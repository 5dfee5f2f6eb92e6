/** Paths that are pages of the dashboard, with all below them. Its router (libs/dashboard) has the same ones. */
export const dashboardPaths = [
  '/login',
  '/signup',
  '/reset-password',
  '/verify-email',
  '/change-email',
  '/invite',
  '/account',
  '/new',
  '/projects',
  '/organizations',
  '/no-access',
];
