/** The bodies of events in the documentation, by type. */
declare module 'samples-of-events' {
  const samples: Record<string, object>;
  export default samples;
}
