export class EmptyDto {}
