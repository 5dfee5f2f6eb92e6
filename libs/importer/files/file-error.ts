import { WrongUsage } from '../command/outcome.js';

/**
 * A file cannot be imported in its current form. The message names the file, the line if there is one, and the remedy.
 */
export class FileError extends WrongUsage {}
