/** All except `firebase` and `anonymous` are OpenID Connect providers. */
export const signInMethods = ['firebase', 'oidc', 'google', 'apple', 'facebook', 'anonymous'] as const;
export type SignInMethod = (typeof signInMethods)[number];
