/** The same as in package.json. */
export const VERSION = '0.9.0';
