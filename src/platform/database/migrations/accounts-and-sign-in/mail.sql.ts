/** Mails, each written with the change that causes it, and alerts. */
export const mailTables = `
`;
