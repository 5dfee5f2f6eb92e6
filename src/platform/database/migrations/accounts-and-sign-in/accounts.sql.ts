/** People: second factor, sessions by id, links in mails. */
export const accountsTables = `
`;
