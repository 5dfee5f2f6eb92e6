/** The answer `{}`. */
export class EmptyDto {}
