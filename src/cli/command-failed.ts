/** An expected failure, printed without a stack trace. */
export class CommandFailed extends Error {}
