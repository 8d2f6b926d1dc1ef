export function shapeOf(document: object): object;
export function namesOf(document: object): string[];
