import { WrongUsage } from '../command/outcome.js';

/** A file that cannot be imported as it is. The message names the file, the line if there is one, and what to do. */
export class FileError extends WrongUsage {}
