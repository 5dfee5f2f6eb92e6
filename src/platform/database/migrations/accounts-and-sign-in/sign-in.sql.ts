/** Customers who sign in: providers, identities, sessions. */
export const signInTables = `
`;
