/** Invitations to projects. */
export const membersTables = `
`;
