/** The schemas of the service's OpenAPI document, which `build.mjs` puts into the command. */
declare module 'interface-schemas' {
  const schemas: Record<string, { properties: Record<string, object> }>;
  export default schemas;
}
