/** The service's own schema of a definition: the build makes it of the OpenAPI document. */
declare module '@retention-flow/definition-schema' {
  /** Whether a value has the shape of a definition. If not, `errors` says why. */
  export const validate: ((value: unknown) => boolean) & {
    errors?: import('../../../../client/schema/faults').SchemaFault[] | null;
  };

  /** The names of all properties, in the order in which the document has them. */
  export const names: string[];
}
