/** A command's "no", said without a stack trace. */
export class CommandFailed extends Error {}
