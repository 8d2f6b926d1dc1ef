/** A JSON value. What is in it is not said: TypeORM's types have no end with one that contains itself. */
export type Json = string | number | boolean | object | null;
