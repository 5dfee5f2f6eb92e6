/**
 * Options of every server that tests start: connections stay open while idle. By default Node closes them after five
 * seconds, and on a busy machine just when the next request arrives.
 */
export const patientServer = { keepAliveTimeout: 0 };
