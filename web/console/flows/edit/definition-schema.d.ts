/** The service's own schema of a definition: the build makes it of the OpenAPI document. */
declare module '@retention-flow/definition-schema' {
  interface Fault {
    /** A JSON Pointer. */
    instancePath: string;
    keyword: string;
    message?: string;
    params: Record<string, unknown>;
  }

  /** Whether a value has the shape of a definition. If not, `errors` says why. */
  export const validate: ((value: unknown) => boolean) & { errors?: Fault[] | null };

  /** The names of all properties, in the order in which the document has them. */
  export const names: string[];
}
