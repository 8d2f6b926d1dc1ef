/** The build turns a style sheet into its text, minified. */
declare module '*.css' {
  const text: string;
  export default text;
}
