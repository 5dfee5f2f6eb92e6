/** The same as in package.json. */
export const VERSION = '0.7.0';
