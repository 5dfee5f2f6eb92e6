/* Environment variables by which the primary gives a worker its task. */

/** Set for the worker that prints where the server is. */
export const ANNOUNCES = 'TENURE_ANNOUNCES';
/** Set for the worker that only answers until the others listen. */
export const ANSWERS_WHILE_STARTING = 'TENURE_ANSWERS_WHILE_STARTING';
