/** The text of a file of ours, as the bundler puts it into the program. */
declare module '*?raw' {
  const text: string;
  export default text;
}
