/** The parser alone: the whole library also loads the syntax of every property. */
declare module 'css-tree/parser' {
  export { parse as default } from 'css-tree'
}
