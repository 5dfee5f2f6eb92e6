/** A port that nobody listens on: `wanted`, or any. @throws Error EADDRINUSE when somebody does */
export function freePort(wanted?: number): Promise<number>;
