/** Nightly runs (`NIGHTLY=1`) check pages in every theme and window size, and more random cases. */
export const isNightly = process.env.NIGHTLY === '1';
