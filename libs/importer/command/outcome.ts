/** Exit codes of the import commands. */
export const EXIT_DONE = 0;
/** A failure, differences, or customers that could not be imported. */
export const EXIT_FAILED = 1;
/** Wrong usage, found before any request, with nothing written. */
export const EXIT_USAGE = 2;

/** An expected failure, printed without a stack trace. Its message never contains a key. */
export class ImportFailed extends Error {
  readonly exitCode: number = EXIT_FAILED;
}

/** The command line is invalid. */
export class WrongUsage extends ImportFailed {
  override readonly exitCode = EXIT_USAGE;
}

/** The operator asked the process to stop. */
export class Interrupted extends ImportFailed {}
