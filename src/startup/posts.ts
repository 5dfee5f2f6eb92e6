/* Environment variables by which the primary process gives a worker its part. */

/** Set for the worker that prints where the server is. */
export const ANNOUNCES = 'TENURE_ANNOUNCES';
/** Set for the worker that only answers until those with the application listen. */
export const ANSWERS_WHILE_STARTING = 'TENURE_ANSWERS_WHILE_STARTING';
