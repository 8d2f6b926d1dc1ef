/** The shapes of a document and of a step, compiled when the package is built. */
declare module 'shapes' {
  /** Whether a value has the shape. If not, `errors` says why. */
  export type Validate = ((value: unknown) => boolean) & {
    errors?: import('../../../schema/faults.ts').SchemaFault[] | null;
  };

  export const validateDocument: Validate;
  export const validateStep: Validate;
}
