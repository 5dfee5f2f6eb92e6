/** An answer without anything in it: `{}`. */
export class EmptyDto {}
